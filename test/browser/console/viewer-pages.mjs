import assert from 'node:assert/strict';
import { Herald } from '@herald/client';
import { openConsole } from './page.mjs';
import { checkWords } from './words.mjs';

/** They leave the page, or end the session. */
const ELSEWHERE = /^(?:Sign out|Open .*)$/;
const CONTROLS = '#main button:enabled, #main input[type=checkbox]:enabled';

/**
 * Walks every page as a viewer and presses everything that is not switched off: nothing may answer that the role is too small, and what is
 * switched off says why.
 * @param key of the environment, to fill the pages
 */
export async function walkAsViewer(page, { url }, key, keep) {
  const paths = await fillPages(new Herald({ baseUrl: url, apiKey: key }));
  const refused = [];
  const calm = calmOf(page);
  page.on('response', (response) => response.status() === 403 && refused.push(response.url()));
  for (const path of paths) {
    await openPage(page, url, path);
    await checkWords(page, path);
    await checkReasons(page, path);
    const count = await page.locator(CONTROLS).count();
    // Pages that a viewer may not see say so; that is no control.
    refused.length = 0;
    for (let at = 0; at < count; at += 1) {
      const control = page.locator(CONTROLS).nth(at);
      if (!(await control.isVisible().catch(() => false))) continue;
      const name = (await control.textContent())?.trim() || (await control.getAttribute('aria-label')) || 'a box';
      if (ELSEWHERE.test(name)) continue;
      await control.click({ timeout: 2_000 }).catch(() => undefined);
      await calm();
      await checkWords(page, `“${name}” on ${path}`);
      assert.deepEqual(refused, [], `“${name}” on ${path} is enabled and refused`);
      if (new URL(page.url()).pathname !== `/console${path === '/' ? '' : path}`) await openPage(page, url, path);
      else await page.keyboard.press('Escape');
    }
  }
  await openPage(page, url, '/workflows');
  await page.getByText('Your role, viewer, cannot change workflows. Ask an owner or an editor.').waitFor();
  assert.equal(await page.getByRole('button', { name: 'New workflow…' }).isDisabled(), true);
  await keep(page, 'viewer-workflows-390-dark');
}

async function openPage(page, url, path) {
  await openConsole(page, { url }, path === '/' ? '' : path);
  await page.locator('#main h1').waitFor();
  await page.waitForLoadState('networkidle');
}

const CALM_MS = 300;
const MOST_MS = 15_000;

/** Waits until nothing was asked for a while. The load state of a page says it once for each document, and a page without reloads has one. */
function calmOf(page) {
  const open = new Set();
  let last = 0;
  const note = (change) => (request) => {
    open[change](request);
    last = Date.now();
  };
  page.on('request', note('add'));
  for (const event of ['requestfinished', 'requestfailed']) page.on(event, note('delete'));
  return async () => {
    const end = Date.now() + MOST_MS;
    last = Date.now();
    while (open.size > 0 || Date.now() - last < CALM_MS) {
      assert.ok(Date.now() < end, `still asking: ${[...open].map((request) => request.url()).join(', ')}`);
      await page.waitForTimeout(50);
    }
  };
}

/** What is switched off because of the role has the reason as its title, and the page has it as a text. */
async function checkReasons(page, path) {
  const titles = await page
    .locator('#main button:disabled[title], #main fieldset:disabled[title]')
    .evaluateAll((all) => all.map(({ title }) => title));
  const main = await page.locator('#main').innerText();
  for (const title of titles.filter((text) => text.startsWith('Your role')))
    assert.ok(main.includes(title), `${path} does not say: ${title}`);
}

/** One record of everything. @returns the addresses of all pages */
async function fillPages(client) {
  const step = { template: { type: 'in_app', content: 'Hello' } };
  const workflow = await client.workflows.createWorkflow({ body: { name: 'Walk', active: true, steps: [step] } });
  const layout = await client.layouts.createLayout({
    body: { name: 'Walk', identifier: 'walk', content: '<b>{{{body}}}</b>' },
  });
  await client.subscribers.createSubscriber({ body: { subscriberId: 'walker', email: 'walker@example.com' } });
  await client.topics.createTopic({ body: { key: 'walk', name: 'Walk' } });
  await client.tenants.createTenant({ body: { identifier: 'walk', name: 'Walk' } });
  await client.feeds.createFeed({ body: { name: 'Walk' } });
  await client.translations.setTranslation({ path: { locale: 'en' }, body: { messages: { hello: 'Hello' } } });
  await client.suppressions.createSuppression({
    body: { channel: 'email', address: 'no@example.com', reason: 'Asked for' },
  });
  const webhook = await client.webhooks.createWebhook({
    body: { url: 'https://example.com/hook', events: ['message.failed'] },
  });
  const schedule = await client.schedules.createSchedule({
    body: { workflow: 'walk', subscribers: ['walker'], startAt: '2099-01-31T09:00:00Z' },
  });
  const sms = { providerId: 'twilio', channel: 'sms', active: false, credentials: {} };
  const integration = await client.integrations.createIntegration({ body: sms });
  const { transactionId } = await client.events.triggerEvent({ body: { name: 'walk', to: 'walker', payload: {} } });
  await client.events.getEvent({ path: { transactionId }, query: { wait: 15 } });
  const [notification] = await client.notifications.listNotifications({ query: { transactionId } });
  const own = `/workflows/${workflow._id}`;
  return [
    ...['/', '/activity', `/notifications/${notification._id}`, '/refused', '/replays', '/health', '/catcher'],
    ...['/workflows', own, `${own}/edit`, `${own}/versions`, `${own}/run`, `${own}/steps/${workflow.steps[0]._id}`],
    ...['/promote', '/subscribers', '/subscribers/walker', '/import', '/topics', '/topics/walk', '/tenants'],
    ...['/layouts', `/layouts/${layout._id}`, '/groups', '/budgets', '/suppressions', '/translations'],
    ...['/integrations', `/integrations/${integration._id}`, '/integrations/new'],
    ...['/schedules', '/schedules/new', `/schedules/${schedule._id}`, `/schedules/${schedule._id}/edit`],
    ...[
      '/webhooks',
      `/webhooks/${webhook._id}`,
      '/alerts',
      '/environment',
      '/keys',
      '/people',
      '/audit-log',
      '/account',
    ],
  ];
}
