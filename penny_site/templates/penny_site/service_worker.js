{% load static %}// Without a connection: serve the offline page and its files from the cache. Every other request goes
// to Penny.
const OFFLINE = "{% url 'offline' %}";
const SHELL = [
  OFFLINE,
  "{% static 'penny/tokens.css' %}",
  "{% static 'penny/elements.css' %}",
  "{% static 'penny/penny.css' %}",
  "{% static 'penny/parts.css' %}",
  "{% static 'penny/places.css' %}",
  "{% static 'penny/penny.svg' %}",
];
const CACHE = `penny-offline ${SHELL.join(" ")}`;

self.addEventListener("install", (event) => event.waitUntil(
  caches.open(CACHE).then((cache) => cache.addAll(SHELL)).then(() => self.skipWaiting()),
));

// By Sec-Fetch-Site and Sec-Fetch-Dest Penny tells a followed link from a part of another site's page (cross_site.py).
// A page that this worker fetches is named wrongly: in Chromium as a part of a page, in Firefox as opened by Penny
// herself. Chromium's preload names it rightly, Firefox's does not. So a browser other than Chromium opens every page
// itself, except from a link on a page of Penny's. Only Chromium has userAgentData.
const preloads = Boolean(navigator.userAgentData && self.registration.navigationPreload);

self.addEventListener("activate", (event) => event.waitUntil(Promise.all([
  caches.keys().then((names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)))),
  preloads && self.registration.navigationPreload.enable(),
]).then(() => self.clients.claim())));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  const { origin, pathname } = new URL(request.url);
  if (request.mode !== "navigate") {
    if (SHELL.includes(pathname)) event.respondWith(fetch(request).catch(() => caches.match(pathname)));
  } else if (preloads) event.respondWith(preloaded(event).catch(() => caches.match(OFFLINE)));
  else if (request.referrer.startsWith(`${origin}/`))
    event.respondWith(fetch(request).catch(() => caches.match(OFFLINE)));
});

async function preloaded({ preloadResponse, request }) {
  return (await preloadResponse) ?? fetch(request);
}

// Show a find. A notification with the same tag is replaced.
self.addEventListener("push", (event) => {
  const { title, body, link, less, less_called, tag } = event.data.json();
  const actions = less ? [{ action: "less", title: less_called }] : [];
  const icon = "{% static 'penny/icons/penny-192.png' %}";
  event.waitUntil(self.registration.showNotification(title, { body, tag, icon, data: { link, less }, actions }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { link, less } = event.notification.data;
  event.waitUntil(show(new URL((event.action === "less" && less) || link || "{% url 'feed' %}", self.location)));
});

// Open a link in a window that shows it, or in a window where no input can be lost (the chat keeps its draft), or in a
// new window.
const isLeftSafely = ({ pathname }) =>
  ["{% url 'feed' %}", "{% url 'chat' %}"].includes(pathname) || pathname.startsWith("{% url 'feed' %}thoughts/");

async function show(address) {
  const open = await self.clients.matchAll({ type: "window" });
  const shownIn = open.find(({ url }) => url === address.href);
  if (shownIn) return shownIn.focus();
  const reusable = address.origin === self.location.origin && open.find(({ url }) => isLeftSafely(new URL(url)));
  if (!reusable) return self.clients.openWindow(address.href);
  await reusable.focus();
  return reusable.navigate(address.href);
}

// Browsers drop their subscription now and then, and need a new one to show notifications. The key and the token for it
// stand on the page Notifications. A browser that is signed out gets no new subscription.
self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(subscribeAgain(event)));

async function subscribeAgain({ oldSubscription, newSubscription }) {
  const page = await (await fetch("{% url 'notifications' %}")).text();
  const [, key] = /data-push-key="([\w-]+)"/.exec(page) ?? [];
  const [, csrfmiddlewaretoken] = /name="csrfmiddlewaretoken" value="(\w+)"/.exec(page) ?? [];
  if (!key) return;
  const options = { userVisibleOnly: true, applicationServerKey: key };
  const subscription = newSubscription ?? (await self.registration.pushManager.subscribe(options));
  const { endpoint, keys } = subscription.toJSON();
  const instead = oldSubscription?.endpoint ?? "";
  const body = new URLSearchParams({ csrfmiddlewaretoken, endpoint, ...keys, instead });
  await fetch("{% url 'push_subscribe' %}", { method: "POST", body });
}
