/* global self -- a service worker */
// A service worker that shows push messages of Herald, opens the `url` of their data when one is clicked, and answers questions with
// their buttons. Serve it from the origin of your page, or take its two listeners into a worker that you have:
// importScripts('/push-worker.js').
self.addEventListener('push', (event) => {
  const { title = '', ...options } = event.data?.json() ?? {};
  event.waitUntil(self.registration.showNotification(title, options));
});
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const { url = '/', answerUrl, answers } = event.notification.data ?? {};
  const isAnswer = typeof answerUrl === 'string' && answers?.includes(event.action);
  event.waitUntil(isAnswer ? answerHerald(event, answerUrl) : openHeraldPage(url));
});
async function openHeraldPage(url) {
  const target = new URL(url, self.location.origin);
  if (!/^https?:$/.test(target.protocol)) return;
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const open = pages.find((page) => page.url === target.href);
  await (open ? open.focus() : self.clients.openWindow(target.href));
}
// The link is for one person and one question. Where it does not take the answer, its page says why.
async function answerHerald({ action, notification }, answerUrl) {
  const body = new URLSearchParams({ answer: action });
  const headers = { accept: 'application/json' };
  const answered = await fetch(answerUrl, { method: 'POST', credentials: 'omit', headers, body }).catch(
    () => undefined,
  );
  const said = answered?.ok ? await answered.json().catch(() => undefined) : undefined;
  if (said === undefined) return openHeraldPage(answerUrl);
  const { title, tag } = notification;
  await self.registration.showNotification(title, { body: said.text, tag, data: { url: answerUrl } });
}
