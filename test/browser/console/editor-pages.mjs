import assert from 'node:assert/strict';
import { openConsole, onPage, signIn } from './page.mjs';
import { checkWords } from './words.mjs';

const NAME = 'Order report';
const PAYLOAD = { order: { id: '4711', total: 120 } };
const code = (page) => page.locator('.template-editor .cm-content');
const mailIn = (page) => page.locator('.live-preview').frameLocator('.mail-frame').frameLocator('iframe');
export const steps = (page) => page.getByRole('navigation', { name: 'Steps of the workflow' });
export const saved = (page, version) => page.getByText(`Saved as version ${version}.`).waitFor();

export async function addStep(page, label) {
  await page.getByText('Add step', { exact: true }).click();
  await steps(page)
    .locator('.add-step')
    .getByRole('button', { name: new RegExp(`^${label} `) })
    .click();
  await page.getByRole('heading', { level: 2, name: new RegExp(label) }).waitFor();
}

/** A condition without a field: the step is named, and the page goes to the field. */
async function checkFaultStandsAtItsField(page, keep) {
  await page.getByRole('button', { name: 'Move step 1 up' }).scrollIntoViewIfNeeded();
  await steps(page).getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const field = page.getByLabel('Field', { exact: true });
  await page.locator('.faulty').filter({ has: field }).locator('.code-fault').waitFor();
  await page.getByRole('alert').filter({ hasText: 'Step 2 (Report), condition 1, field must be' }).waitFor();
  await page.locator('.faulty input:focus').waitFor();
  await checkWords(page, 'a save that was refused');
  await keep('faulty-condition');
}

/** Selects everything in the code editor and writes over it. */
async function write(page, text) {
  await code(page).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}

/** A digest and a mail with a condition, from an empty list, by hand. */
export async function buildWorkflow(page, keep) {
  await onPage(page, 'Workflows');
  await page.getByRole('button', { name: 'New workflow…' }).first().click();
  await page.getByLabel('Name').fill(NAME);
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText('The workflow has no steps yet.').waitFor();
  await page.getByText('Add step', { exact: true }).click();
  await page.keyboard.press('ArrowDown');
  await page.locator('.add-step button:focus').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('.add-step:not([open]) summary:focus').waitFor();
  await addStep(page, 'Digest');
  await page.getByLabel('For', { exact: true }).fill('10');
  await page.getByLabel('Collect apart by').fill('order.id');
  await page
    .getByText('Collects events for 10 minutes after the first one, separately for each payload.order.id.')
    .waitFor();
  await addStep(page, 'Email');
  await page.getByLabel('Name', { exact: true }).fill('Report');
  await page.getByLabel('Subject', { exact: true }).fill('{{step.total_count}} orders');
  await write(page, '<h1>Hello {{subscriber.firstName}}</h1>\n<p>Total {{order.total}}</p>');
  await page.getByRole('button', { name: 'Add condition' }).click();
  await checkFaultStandsAtItsField(page, keep);
  await page.getByLabel('Field', { exact: true }).fill('order.total');
  await page.getByLabel('Comparison').selectOption({ label: 'is larger than' });
  await page.getByLabel('Value', { exact: true }).fill('100');
  await page.getByText('Preview with').click();
  await page.getByRole('textbox', { name: 'Payload' }).fill(JSON.stringify(PAYLOAD));
  await mailIn(page).getByText('Total 120').waitFor();
  await page.locator('.mail-subject').filter({ hasText: '1 orders' }).waitFor();
  await keep('built');
  await page.getByLabel('Note on this change').fill('First version');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await saved(page, 1);
}

/** A type without a form of its own has one by what Herald says of it. */
async function fillSchemaForm(page, keep) {
  await addStep(page, 'Start a workflow');
  await page.getByLabel('Workflow', { exact: true }).fill('order-follow-up');
  await page.getByLabel('Recipients', { exact: true }).fill('ada\n{{order.seller}}');
  await page.getByLabel('Data', { exact: true }).fill('{ "order": ');
  await page.getByText('This is not JSON yet').waitFor();
  await page.getByLabel('Data', { exact: true }).fill('{ "order": 1 }');
  await page.getByText('This is not JSON yet').waitFor({ state: 'detached' });
  await keep('schema-form');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Redo' }).click();
  assert.equal(await page.getByLabel('Recipients', { exact: true }).inputValue(), 'ada\n{{order.seller}}');
}

/** Completion, faults at their place, and each channel as the person sees it. */
export async function checkPreviews(page, { client }, { sent }, keep) {
  await code(page).click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type('<p>{{ord');
  await page.locator('.cm-tooltip-autocomplete').getByText('order.id').waitFor();
  await keep('completion');
  await page.keyboard.press('Escape');
  await write(page, '<p>\n{{#if order}}');
  await page
    .locator('.code-fault')
    .getByText(/Line 2/)
    .first()
    .waitFor();
  await page.locator('.cm-lint-marker-error').first().waitFor();
  await keep('fault');
  await page.getByRole('button', { name: 'Discard' }).click();
  await mailIn(page).getByText('Total').waitFor();
  await page.getByRole('button', { name: 'Phone', exact: true }).click();
  const width = await page.locator('.mail-window').evaluate((frame) => frame.getBoundingClientRect().width);
  assert.ok(width <= 390, `the mail on a phone is ${width} px wide`);
  await keep('phone');
  await page.getByLabel('Written as').selectOption('mjml');
  await mailIn(page).getByText('Hello Ada').waitFor();
  await page.getByLabel('Layout', { exact: true }).waitFor({ state: 'detached' });
  await keep('mjml');
  await write(
    page,
    '<mjml><mj-body><mj-section><mj-column><mj-text>{{order.id}}</mj-text></mj-column></mj-body></mjml>',
  );
  await page.locator('.code-fault').getByText('an element is not closed').first().waitFor();
  await write(
    page,
    '<mjml><mj-body><mj-section><mj-column><mj-text>{{order.id}}</mj-text></mj-column></mj-section></mj-body></mjml>',
  );
  await mailIn(page).getByText('4711').waitFor();
  await page.getByRole('button', { name: 'Discard' }).click();
  await addStep(page, 'SMS');
  await write(page, `${'a'.repeat(160)} {{order.id}}`);
  await page.getByText('2 segments (GSM-7)').waitFor();
  await write(page, 'Привет {{subscriber.firstName}}');
  await page.getByText('1 segment (Unicode)').waitFor();
  await keep('sms');
  await addStep(page, 'Push');
  await page.getByLabel('Title', { exact: true }).fill('Order {{order.id}}');
  await page.locator('.push-card').getByText('Hello').waitFor();
  await addStep(page, 'In-app');
  await page.getByLabel('Link of the message').fill('/orders/1');
  await page.getByRole('button', { name: 'Add button' }).click();
  await page.locator('.frame-inbox .shown-button').getByText('Open').waitFor();
  await mailIn(page).getByText('Hello Ada').waitFor();
  await keep('in-app');
  await addStep(page, 'Chat');
  await page.locator('.frame-chat').getByText('Hello').waitFor();
  await addStep(page, 'Throttle');
  await page.getByText('Lets 1 event through').waitFor();
  await addStep(page, 'Wait for event');
  await page.getByText('Waits 10 minutes at most for a message to be read').waitFor();
  await keep('wait-for-event');
  await fillSchemaForm(page, keep);
  await addStep(page, 'Delay');
  await page.getByText('If an event came now, it would end').waitFor();
  await page.getByRole('button', { name: 'Discard' }).click();
  await steps(page).getByRole('button', { name: '2. Report' }).click();
  await page.getByLabel('Your email address').fill('me@example.com');
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'Send a test to me@example.com' }).click();
  await page.getByText('The test was accepted.').waitFor();
  for (let waited = 0; !sent.some(({ to }) => to.includes('me@example.com')); waited += 100) {
    assert.ok(waited < 15_000, 'the test was not sent');
    await page.waitForTimeout(100);
  }
  const [workflow] = await client.workflows.listWorkflows({ query: { query: NAME } });
  assert.equal(workflow.steps.length, 2);
}

/** Without a pointer: order, undo, switches, save. */
export async function checkKeyboard(page) {
  await steps(page).getByRole('button', { name: '2. Report' }).focus();
  await page.keyboard.press('Alt+ArrowUp');
  await steps(page).getByRole('button', { name: '1. Report' }).waitFor();
  await page.waitForFunction('document.activeElement.textContent.includes("1. Report")');
  await page.getByText('Report is now step 1 of 2.').waitFor({ state: 'attached' });
  await page.keyboard.press('ControlOrMeta+z');
  await steps(page).getByRole('button', { name: '2. Report' }).waitFor();
  await page.keyboard.press('ControlOrMeta+Shift+z');
  await steps(page).getByRole('button', { name: '1. Report' }).waitFor();
  await page.keyboard.press('ControlOrMeta+z');
  await page.getByLabel('Active', { exact: true }).focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('ControlOrMeta+s');
  await saved(page, 2);
  await code(page).focus();
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate('document.activeElement.closest(".template-editor") === null'), true);
  await steps(page).getByText('1. Digest').dragTo(steps(page).getByText('2. Report'));
  await steps(page).getByRole('button', { name: '2. Digest' }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await steps(page).getByRole('button', { name: '1. Digest' }).waitFor();
}

/** A draft survives a reload and a new session; the key does not. */
export async function checkReload(page, herald, keep) {
  await page.getByLabel('Subject', { exact: true }).fill('Unsaved {{step.total_count}}');
  await page.getByText('Unsaved changes').waitFor();
  page.once('dialog', (dialog) => dialog.accept());
  await page.reload();
  const kept = await page.evaluate('JSON.stringify({ ...sessionStorage, ...localStorage })');
  assert.ok(kept.includes('Unsaved {{step.total_count}}') && !kept.includes(herald.apiKey), kept);
  await signIn(page, herald.apiKey);
  await page.getByText('Your unsaved changes were restored.').waitFor();
  assert.equal(await page.getByLabel('Subject', { exact: true }).inputValue(), 'Unsaved {{step.total_count}}');
  await keep('restored');
}

/** Somebody else saves meanwhile: nothing is overwritten, and the difference is shown. */
export async function checkConflict(page, { client }, keep) {
  const [{ _id: workflowId }] = await client.workflows.listWorkflows({ query: { query: NAME } });
  const theirs = await client.workflows.getWorkflow({ path: { workflowId } });
  const changed = theirs.steps.map((step) =>
    step.name === 'Report' ? { ...step, template: { ...step.template, subject: 'Theirs' } } : step,
  );
  await client.workflows.updateWorkflow({ path: { workflowId }, body: { steps: changed, note: 'By another' } });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Step 2 (Report), subject changed').waitFor();
  await dialog.locator('.diff .added').getByText('Theirs').waitFor();
  await keep('conflict');
  const unchanged = await client.workflows.getWorkflow({ path: { workflowId } });
  assert.equal(unchanged.steps[1].template.subject, 'Theirs');
  await dialog.getByRole('button', { name: 'Keep my draft' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await saved(page, 4);
  const mine = await client.workflows.getWorkflow({ path: { workflowId } });
  assert.equal(mine.steps[1].template.subject, 'Unsaved {{step.total_count}}');
}

/** Who saved what; the difference; and back. */
export async function checkVersions(page, { client }, keep) {
  await page.getByRole('link', { name: 'Versions' }).click();
  await page.getByText('By another').waitFor();
  await page.getByText('First version').waitFor();
  await page.getByRole('button', { name: 'Show version 3' }).click();
  await page.getByText('Step 2 (Report), subject changed').waitFor();
  await keep('versions');
  await page.getByRole('button', { name: 'Restore…' }).click();
  await page.getByLabel('Note (optional)').fill('Back');
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
  await page.getByText('Version 3 was restored as version 5.').waitFor();
  await page.locator('tr', { hasText: 'Restored from version 3' }).getByText('Current').waitFor();
  const [{ _id: workflowId }] = await client.workflows.listWorkflows({ query: { query: NAME } });
  const { steps: now } = await client.workflows.getWorkflow({ path: { workflowId } });
  assert.equal(now[1].template.subject, 'Theirs');
}

/** When messages are sent, of the workflow and of a step; nothing else of them changes. */
export async function checkSendingTimes(page, { client }, keep) {
  await page.locator('.page-above').getByRole('link').click();
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await steps(page).getByRole('button', { name: 'Settings' }).click();
  await page.getByLabel("Outside a subscriber's delivery hours").selectOption('wait');
  await page.getByLabel('Send in certain hours only; until then, messages wait').check();
  await page.getByLabel('Time zone of the hours').fill('Europe/Berlin');
  await page.getByRole('checkbox', { name: 'Monday' }).uncheck();
  await page.getByLabel('Friday, until').fill('15:30');
  await page.getByLabel('Unsubscribe links of mails').selectOption('one-click');
  await keep('sending-times');
  await steps(page).getByRole('button', { name: '2. Report' }).click();
  await page.getByText('When it is sent').click();
  await page.getByLabel("Outside the subscriber's delivery hours").selectOption('skip');
  await steps(page).getByRole('button', { name: '1. Digest' }).click();
  await page.getByLabel('Wait for the delivery hours').check();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await saved(page, 6);
  const [{ _id: workflowId }] = await client.workflows.listWorkflows({ query: { query: NAME } });
  const {
    outsideSchedule,
    sendWindow,
    unsubscribe,
    steps: stored,
  } = await client.workflows.getWorkflow({
    path: { workflowId },
  });
  assert.deepEqual([outsideSchedule, unsubscribe], ['wait', 'one-click']);
  const day = (end) => ({ isEnabled: true, hours: [{ start: '09:00', end }] });
  const weeklySchedule = {
    tuesday: day('17:00'),
    wednesday: day('17:00'),
    thursday: day('17:00'),
    friday: day('15:30'),
  };
  assert.deepEqual(sendWindow, { timezone: 'Europe/Berlin', weeklySchedule });
  assert.equal(stored[0].metadata.extendToSchedule, true);
  assert.equal(stored[1].metadata.outsideSchedule, 'skip');
}

/** On, copied, deleted. */
export async function manageWorkflow(page, herald, keep) {
  await page.locator('.page-above').getByRole('link').click();
  await page.getByRole('button', { name: 'Switch on' }).click();
  await page.getByRole('button', { name: 'Switch off' }).waitFor();
  await keep('workflow');
  const { workflows } = herald.client;
  const [{ _id: workflowId }] = await workflows.listWorkflows({ query: { query: NAME } });
  // Settings that the editor does not show.
  const settings = { data: { team: 'billing' }, outsideSchedule: 'wait', unsubscribe: 'off' };
  await workflows.updateWorkflow({ path: { workflowId }, body: { name: NAME, ...settings } });
  await page.reload();
  await signIn(page, herald.apiKey);
  await page.getByRole('button', { name: 'Duplicate…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Duplicate' }).click();
  await steps(page).getByRole('button', { name: '2. Report' }).waitFor();
  await page.locator('.page-above').getByRole('link').click();
  await page.locator('h1', { hasText: `${NAME} copy` }).waitFor();
  const [{ _id: copyId }] = await workflows.listWorkflows({ query: { query: `${NAME} copy` } });
  const { data, outsideSchedule, unsubscribe } = await workflows.getWorkflow({ path: { workflowId: copyId } });
  assert.deepEqual({ data, outsideSchedule, unsubscribe }, settings);
  await page.getByRole('button', { name: 'Delete…' }).click();
  await page.getByText('It has no notifications.').waitFor();
  await keep('delete');
  await page.getByRole('button', { name: 'Delete workflow' }).click();
  await page.locator('h1', { hasText: 'Workflows' }).waitFor();
  const names = (await herald.client.workflows.listWorkflows()).map(({ name }) => name);
  assert.ok(names.includes(NAME) && !names.includes(`${NAME} copy`), names.join());
  await openConsole(page, herald, '/workflows');
  await signIn(page, herald.apiKey);
}

/** A step that asks another system; what is taken out of it is gone. */
export async function checkRequest(page, { client }, keep) {
  await onPage(page, 'Workflows');
  await page.getByRole('button', { name: 'New workflow…' }).first().click();
  await page.getByLabel('Name').fill('Look up');
  await page.getByRole('button', { name: 'Create' }).click();
  await addStep(page, 'HTTP request');
  // What the workflow before said of its saving is gone after some seconds by itself.
  await page.locator('.toast').waitFor({ state: 'detached' });
  await page.getByLabel('Method').selectOption('PUT');
  await page.getByLabel('URL', { exact: true }).fill('https://crm.example.com/orders/{{order.id}}');
  await page.getByRole('button', { name: 'Add header' }).click();
  await page.getByLabel('Header 1', { exact: true }).fill('authorization');
  await page.getByLabel('Value').fill('Bearer {{secrets.CRM_TOKEN}}');
  await page.getByLabel('Body', { exact: true }).selectOption('fields');
  await page.getByLabel('Field 1', { exact: true }).fill('order');
  await page.getByLabel('Value').nth(1).fill('{{order.id}}');
  await page.getByLabel('Attempts').fill('3');
  await page.getByLabel('Go on with the next step if the request fails').check();
  await keep('http-request');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await saved(page, 1);
  const [{ _id: workflowId }] = await client.workflows.listWorkflows({ query: { query: 'Look up' } });
  const stored = async () => (await client.workflows.getWorkflow({ path: { workflowId } })).steps[0].template;
  const { method, url, headers, body, maxAttempts, continueOnFailure } = await stored();
  assert.deepEqual(
    { method, url, headers, body, maxAttempts, continueOnFailure },
    {
      method: 'PUT',
      url: 'https://crm.example.com/orders/{{order.id}}',
      headers: [{ key: 'authorization', value: 'Bearer {{secrets.CRM_TOKEN}}' }],
      body: [{ key: 'order', value: '{{order.id}}' }],
      maxAttempts: 3,
      continueOnFailure: true,
    },
  );
  await page.getByRole('button', { name: 'Remove header 1' }).click();
  await page.getByLabel('Body', { exact: true }).selectOption('text');
  await page.getByLabel('Attempts').fill('');
  await page.getByLabel('Go on with the next step if the request fails').uncheck();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await saved(page, 2);
  const left = await stored();
  assert.deepEqual(
    [left.headers ?? [], left.body, left.maxAttempts, left.continueOnFailure ?? false],
    [[], undefined, undefined, false],
  );
  // The editor would ask for a preview of what is gone.
  await onPage(page, 'Workflows');
  await client.workflows.deleteWorkflow({ path: { workflowId } });
}

/** A wait for a click, and clicks that are followed, by hand. */
export async function checkWaiting(page, { client }, keep) {
  await onPage(page, 'Workflows');
  await page.getByRole('button', { name: 'New workflow…' }).first().click();
  await page.getByLabel('Name').fill('Invitation');
  await page.getByRole('button', { name: 'Create' }).click();
  await addStep(page, 'Email');
  await page.getByLabel('Subject', { exact: true }).fill('You are invited');
  await write(page, '<a href="https://shop.example/party">Answer</a>');
  await addStep(page, 'Wait for event');
  await page.getByLabel('Event', { exact: true }).selectOption({ label: 'A message is clicked' });
  await page.getByLabel('At most').fill('2');
  await page.getByLabel('Unit').selectOption('days');
  await page.getByLabel('When it comes').selectOption('stop');
  await page.getByLabel('When it does not come').selectOption('continue');
  await keep('wait-for-event');
  await steps(page).getByRole('button', { name: 'Settings' }).click();
  await page.getByLabel('Clicks in mails').selectOption('on');
  await page.getByLabel(/^Hidden: /).check();
  await keep('tracking');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await saved(page, 1);
  const [{ _id: workflowId }] = await client.workflows.listWorkflows({ query: { query: 'Invitation' } });
  const stored = await client.workflows.getWorkflow({ path: { workflowId } });
  assert.deepEqual([stored.tracking, stored.hidden], [{ clicks: true }, true]);
  const { event, amount, unit, onMatch, onTimeout } = stored.steps[1].metadata;
  assert.deepEqual(
    { event, amount, unit, onMatch, onTimeout },
    { event: 'message.clicked', amount: 2, unit: 'days', onMatch: 'stop', onTimeout: 'continue' },
  );
  // The editor would ask for a preview of what is gone.
  await onPage(page, 'Workflows');
  await client.workflows.deleteWorkflow({ path: { workflowId } });
}
