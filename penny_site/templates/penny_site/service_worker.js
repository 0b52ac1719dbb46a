{% load static %}// Without a connection: serve the offline page and its files from the cache. Every other request goes to Penny.
const OFFLINE = "{% url 'offline' %}";
const SHELL = [OFFLINE, "{% static 'penny/tokens.css' %}", "{% static 'penny/elements.css' %}", "{% static 'penny/penny.css' %}", "{% static 'penny/parts.css' %}", "{% static 'penny/penny.svg' %}"];
const CACHE = `penny-offline ${SHELL.join(" ")}`;

self.addEventListener("install", (event) => event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(SHELL)).then(() => self.skipWaiting())));

self.addEventListener("activate", (event) => event.waitUntil(
  caches.keys().then((names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)))).then(() => self.clients.claim()),
));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const path = new URL(request.url).pathname;
  if (request.mode === "navigate" && request.method === "GET") event.respondWith(fetch(request).catch(() => caches.match(OFFLINE)));
  else if (request.method === "GET" && SHELL.includes(path)) event.respondWith(fetch(request).catch(() => caches.match(path)));
});

// Show a find. A notification with the same tag is replaced.
self.addEventListener("push", (event) => {
  const { title, body, link, less, less_called, tag } = event.data.json();
  const actions = less ? [{ action: "less", title: less_called }] : [];
  event.waitUntil(self.registration.showNotification(title, { body, tag, icon: "{% static 'penny/icons/penny-192.png' %}", data: { link, less }, actions }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { link, less } = event.notification.data;
  event.waitUntil(show(new URL((event.action === "less" && less) || link || "{% url 'feed' %}", self.location)));
});

// Open a link in a window that shows it, or in a window where no input can be lost (the chat keeps its draft), or in a new window.
const isLeftSafely = ({ pathname }) => pathname === "{% url 'feed' %}" || pathname === "{% url 'chat' %}" || pathname.startsWith("{% url 'feed' %}thoughts/");

async function show(address) {
  const open = await self.clients.matchAll({ type: "window" });
  const shownIn = open.find(({ url }) => url === address.href);
  if (shownIn) return shownIn.focus();
  const reusable = address.origin === self.location.origin && open.find(({ url }) => isLeftSafely(new URL(url)));
  if (!reusable) return self.clients.openWindow(address.href);
  await reusable.focus();
  return reusable.navigate(address.href);
}

// Browsers drop their subscription now and then, and need a new one to show notifications. The key and the token for it stand
// on the page Notifications. A browser that is signed out gets no new subscription.
self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(subscribeAgain(event)));

async function subscribeAgain({ oldSubscription, newSubscription }) {
  const page = await (await fetch("{% url 'notifications' %}")).text();
  const [, key] = /data-push-key="([\w-]+)"/.exec(page) ?? [];
  const [, csrfmiddlewaretoken] = /name="csrfmiddlewaretoken" value="(\w+)"/.exec(page) ?? [];
  if (!key) return;
  const subscription = newSubscription ?? (await self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
  const { endpoint, keys } = subscription.toJSON();
  const body = new URLSearchParams({ csrfmiddlewaretoken, endpoint, ...keys, instead: oldSubscription?.endpoint ?? "" });
  await fetch("{% url 'push_subscribe' %}", { method: "POST", body });
}
