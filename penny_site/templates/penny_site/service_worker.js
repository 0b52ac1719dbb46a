{% load static %}// Only for when there is no connection: a page of its own, and what that page is made of. Everything else goes to Penny as ever.
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

// What Penny found for her owner. The same one again takes the place of what is shown already.
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

// In a window that shows it, or one in which nothing can be typed that would be lost: the chat keeps what was begun. Else in a new one.
const isLeftSafely = ({ pathname }) => pathname === "{% url 'feed' %}" || pathname === "{% url 'chat' %}" || pathname.startsWith("{% url 'feed' %}thoughts/");

async function show(address) {
  const open = await self.clients.matchAll({ type: "window" });
  const there = open.find(({ url }) => url === address.href);
  if (there) return there.focus();
  const one = address.origin === self.location.origin && open.find(({ url }) => isLeftSafely(new URL(url)));
  if (!one) return self.clients.openWindow(address.href);
  await one.focus();
  return one.navigate(address.href);
}

// The browser gave its subscription up, as it does now and then: without another one nothing would be shown from then on. What a new one
// needs stands on the setup page, which also says by whom it is asked for: a browser that is signed out gets none.
self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(subscribeAgain(event)));

async function subscribeAgain({ oldSubscription, newSubscription }) {
  const page = await (await fetch("{% url 'setup' %}")).text();
  const [, key] = /data-push-key="([\w-]+)"/.exec(page) ?? [];
  const [, csrfmiddlewaretoken] = /name="csrfmiddlewaretoken" value="(\w+)"/.exec(page) ?? [];
  if (!key) return;
  const made = newSubscription ?? (await self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
  const { endpoint, keys } = made.toJSON();
  const body = new URLSearchParams({ csrfmiddlewaretoken, endpoint, ...keys, instead: oldSubscription?.endpoint ?? "" });
  await fetch("{% url 'push_subscribe' %}", { method: "POST", body });
}
