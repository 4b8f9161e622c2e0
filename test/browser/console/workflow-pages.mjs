import assert from 'node:assert/strict';
import { onPage } from './page.mjs';
import { HOSTILE } from './scenes.mjs';

const PAYLOAD = JSON.stringify({ order: { id: '4711', total: 120, items: [{ name: 'Lamp' }] } }, undefined, 2);

async function openWorkflow(page, name) {
  await onPage(page, 'Workflows');
  await page.getByLabel('Search').fill(name.toLowerCase());
  await page.keyboard.press('Enter');
  await page.waitForURL(/search=/);
  await page
    .getByRole('link', { name: new RegExp(`^${name}`) })
    .first()
    .click();
  await page.locator('.flow').waitFor();
}

/** The list finds a workflow, and its page says what its steps do and how it is triggered, without the key. */
export async function checkWorkflow(page, { apiKey }, keep) {
  await onPage(page, 'Workflows');
  await page.locator('tr', { hasText: 'Newsletter' }).getByText('Inactive').waitFor();
  await keep('workflows');
  await openWorkflow(page, 'Receipt');
  const text = (await page.locator('main').innerText()).replaceAll(/\s+/g, ' ');
  for (const words of [
    'Only if payload.order.total is larger than 100',
    'Collects events for 10 minutes after the first one, separately for each payload.order.id.',
    'Waits 2 days.',
    'For professionals sent instead if',
    'subscriber.data.plan is pro',
    'No active integration for SMS',
    'If this step fails, the following steps do not run.',
    '$HERALD_API_KEY',
  ])
    assert.ok(text.includes(words), `“${words}” is not in the page:\n${text}`);
  assert.ok(!text.includes(apiKey), 'the key is in the page');
  await keep('workflow');
}

const stepLink = (page, number) =>
  page
    .locator('.flow > li')
    .nth(number - 1)
    .getByRole('link', { name: 'Preview and test' });
const mailIn = (page) => page.frameLocator('.mail-frame').frameLocator('iframe');

/** Rendered with a payload and a subscriber, then with faults in the payload and in the template. */
export async function checkPreview(page, keep) {
  await openWorkflow(page, 'Receipt');
  await stepLink(page, 3).click();
  await page.getByLabel('Payload').fill(PAYLOAD);
  await page.getByLabel('Subscriber id').fill('pia');
  await page.keyboard.press('Tab');
  await mailIn(page).getByText('Thank you, Pia').waitFor();
  await mailIn(page).getByText('Lamp').waitFor();
  await page.getByText('Order 4711').first().waitFor();
  await keep('preview');
  await page.getByLabel('Content', { exact: true }).first().selectOption({ label: 'For professionals' });
  await mailIn(page).getByText('Pro', { exact: true }).waitFor();
  await page.getByLabel('Payload').fill('{\n  "order": {\n    "id": "4711",\n  }\n}');
  await page.getByText('Line 4, column 3: Expected a name in double quotes.').waitFor();
  await page.getByLabel('Payload').fill(PAYLOAD);
  await page.getByText('Try different texts').click();
  await page.locator('.drafts').getByLabel('Content').fill('<p>\n  {{#if order}}\n{{/each}}</p>');
  const fault = page.getByRole('alert').filter({ hasText: 'The step cannot be rendered' });
  await fault.getByText('the block "if" is closed as "each"').waitFor();
  assert.match(await fault.innerText(), /content line 2, column 6:/);
  assert.match(await fault.locator('.excerpt .fault').innerText(), /2\s+\{\{#if order\}\}/);
  await keep('preview-fault');
}

/** A real mail to an address of one's own, and the way to its notification. */
export async function checkTestSend(page, { sent }, keep) {
  await openWorkflow(page, 'Receipt');
  await stepLink(page, 3).click();
  await page.getByLabel('Payload').fill(PAYLOAD);
  await page.getByLabel('Your email address').fill('me@example.com');
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'Send a test to me@example.com' }).click();
  await page.getByText('The test was accepted.').waitFor();
  await keep('test-send');
  await page.getByRole('link', { name: 'View notification' }).click();
  await page.locator('.step-list').getByText('Completed').first().waitFor();
  await mailIn(page).getByText('Order 4711: 120').waitFor();
  const mail = sent.find(({ to }) => to.includes('me@example.com'));
  assert.equal(mail.message.Subject, 'Order 4711');
}

/** For each recipient: a condition, a preference, an integration and a missing address decide. */
export async function checkDryRun(page, { client }, keep) {
  const before = (await client.notifications.listNotifications()).length;
  await openWorkflow(page, 'Receipt');
  await page.getByRole('link', { name: 'Run…' }).click();
  await page.getByLabel('Subscribers').fill('pia\nquin\nnew-one');
  await page.getByText('Payload as JSON').click();
  await page.getByLabel('Payload').fill(PAYLOAD);
  await page.getByRole('button', { name: 'Start dry run' }).click();
  const of = (id) => page.getByRole('region', { name: `Recipient ${id}` });
  await of('pia').getByText('postmark to pia@example.com: Pro 4711').click();
  // The time line shows messages as well.
  const mail = page.frameLocator('iframe[title="Pro 4711"]').frameLocator('iframe');
  await mail.getByText('Thank you, Pia').waitFor();
  await of('pia').getByText('No integration to send with').waitFor();
  await of('pia').getByText('not for this tenant').waitFor();
  await of('quin').getByText('The subscriber disabled this channel for this workflow').waitFor();
  await of('new-one').getByText('new subscriber, would be created').waitFor();
  await of('new-one').getByText('The subscriber has no address for this channel').waitFor();
  await keep('dry-run');
  await page.getByLabel('Payload').fill(PAYLOAD.replace('120', '20'));
  await page.getByRole('button', { name: 'Start dry run' }).click();
  await of('pia').getByText('A step condition was not met').waitFor();
  const row = of('pia').locator('tr', { hasText: 'order.total' });
  assert.match(await row.innerText(), /is larger than 100\s+20\s+Not met/);
  await keep('dry-run-condition');
  assert.equal((await client.notifications.listNotifications()).length, before);
}

/** A real run by a form that is made of the variables, followed until its steps wait; its values are there the next time. */
export async function checkRun(page, keep) {
  await openWorkflow(page, 'Receipt');
  await page.getByRole('link', { name: 'Run…' }).click();
  const orderId = page.getByLabel('Order id');
  assert.equal(await orderId.inputValue(), '4711');
  await orderId.fill('815');
  await page.getByLabel('Order total').fill('130.5');
  await page.getByText('Enter a subscriber or a topic.', { exact: true }).waitFor();
  await page.getByLabel('Subscribers').fill('quin');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByText('The run is on its way.').waitFor();
  const row = page.getByRole('region', { name: 'Result' }).locator('tbody tr');
  await row.getByText('quin', { exact: true }).waitFor();
  await keep('run');
  await page.getByRole('link', { name: '← Receipt' }).click();
  const call = await page.getByLabel('curl command').innerText();
  assert.match(call, /"id": "815"/);
  assert.match(call, /"total": 130.5/);
}

/** Names are shown as they are, and the mail stays in its frame. */
export async function checkHostileNames(page, keep) {
  await openWorkflow(page, 'Hostile');
  assert.ok((await page.locator('main').innerText()).includes(HOSTILE), 'the name is not shown as it is');
  await stepLink(page, 1).click();
  await page.getByLabel('Payload').fill(JSON.stringify({ text: HOSTILE }));
  await mailIn(page).locator('#mail-text').filter({ hasText: 'onerror' }).waitFor();
  await mailIn(page).locator('#leave').click();
  await mailIn(page).locator('#win').click();
  await page.waitForTimeout(300);
  await keep('hostile');
  assert.match(page.url(), /\/console\/workflows\//);
  await openWorkflow(page, 'Hostile');
  await stepLink(page, 2).click();
  await page.getByLabel('Payload').fill(JSON.stringify({ text: HOSTILE }));
  await page.waitForTimeout(1_000);
  assert.equal(await page.evaluate('window.broken'), undefined);
}
