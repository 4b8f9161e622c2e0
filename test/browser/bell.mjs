import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { openBrowser, watch } from './chromium.mjs';

const SUBSCRIBER = 'ada';

/** Serves the page that docs/browser-clients.md shows from an origin of its own, and uses it: messages, counts, a click. */
export async function useTheBell({ herald, browser }) {
  const { client } = herald;
  const { identifier } = await client.environments.getCurrentEnvironment();
  const hash = createHmac('sha256', herald.apiKey).update(SUBSCRIBER).digest('hex');
  const page = pageInDocs()
    .replace('http://127.0.0.1:3000', herald.url)
    .replace('aB3dE5fG7hJ9', identifier)
    .replace("subscriberHash = '…'", `subscriberHash = '${hash}'`);
  const site = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(page));
  await once(site.listen(0, '127.0.0.1'), 'listening');
  const { context, close } = await openBrowser(browser, { width: 800, height: 600 });
  try {
    await client.subscribers.createSubscriber({ body: { subscriberId: SUBSCRIBER } });
    const trigger = await workflow(client);
    await trigger(1);
    const tab = await context.newPage();
    tab.setDefaultTimeout(20_000);
    const complaints = watch(tab);
    await tab.goto(`http://127.0.0.1:${site.address().port}/`);
    await tab.getByText('1 unread').waitFor();
    await tab.getByText('Order 1').waitFor();
    await trigger(2);
    await tab.getByText('2 unread').waitFor();
    assert.deepEqual(await tab.locator('#messages li').allInnerTexts(), ['Order 2', 'Order 1']);
    await tab.locator('#bell').click();
    await tab.getByText('0 unread').waitFor();
    // The page has no icon, which browsers ask for.
    return complaints.filter((text) => !text.includes('404'));
  } finally {
    await close();
    site.close();
  }
}

function pageInDocs() {
  const [, page] = /```html\n(<!doctype html>[^]*?)```/.exec(readFileSync('docs/browser-clients.md', 'utf8')) ?? [];
  assert.ok(page, 'docs/browser-clients.md shows a page');
  return page;
}

/** Creates a workflow. @returns sends its message with a number, and waits until it is stored */
async function workflow(client) {
  const [group] = await client.notificationGroups.listNotificationGroups();
  const steps = [{ template: { type: 'in_app', content: 'Order {{number}}' } }];
  const { triggers } = await client.workflows.createWorkflow({
    body: { name: 'Bell of the manual', notificationGroupId: group._id, active: true, steps },
  });
  return async (number) => {
    const event = { name: triggers[0].identifier, to: SUBSCRIBER, payload: { number } };
    await client.events.triggerEvent({ body: event });
    for (;;) {
      const messages = await client.messagesOfASubscriber.getFeed({ path: { subscriberId: SUBSCRIBER } });
      if (messages.some(({ content }) => content === `Order ${number}`)) return;
    }
  };
}
