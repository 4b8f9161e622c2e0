/* global self -- a service worker */
// A service worker that shows push messages of Herald, and opens the `url` of their data when one is clicked. Serve it from the
// origin of your page, or take its two listeners into a worker that you have: importScripts('/push-worker.js').
self.addEventListener('push', (event) => {
  const { title = '', ...options } = event.data?.json() ?? {};
  event.waitUntil(self.registration.showNotification(title, options));
});
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const { url = '/' } = event.notification.data ?? {};
  const target = new URL(url, self.location.origin);
  if (!/^https?:$/.test(target.protocol)) return;
  event.waitUntil(
    self.clients.matchAll({ type: 'window', includeUncontrolled: true }).then((pages) => {
      const open = pages.find((page) => page.url === target.href);
      return open ? open.focus() : self.clients.openWindow(target.href);
    }),
  );
});
