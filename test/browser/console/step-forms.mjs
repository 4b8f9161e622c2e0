import assert from 'node:assert/strict';
import { addStep, saved, steps } from './editor-pages.mjs';
import { onPage } from './page.mjs';
import { checkAccessible } from './axe.mjs';

const NAME = 'Waits of all kinds';
const NARROW = { width: 390, height: 844 };

/** Delay, digest, throttle and wait: their forms are made of what Herald says of the types. */
export async function checkStepForms(page, { client }, keep) {
  await onPage(page, 'Workflows');
  await page.getByRole('button', { name: 'New workflow…' }).first().click();
  await page.getByLabel('Name').fill(NAME);
  await page.getByRole('button', { name: 'Create' }).click();
  await fillDigests(page, keep);
  await fillDelay(page, keep);
  await fillThrottle(page, keep);
  await fillWaits(page, keep);
  await fillSplit(page, keep);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await saved(page, 1);
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  const [{ _id: workflowId }] = await client.workflows.listWorkflows({ query: { query: NAME } });
  const stored = await client.workflows.getWorkflow({ path: { workflowId } });
  const [{ uuid, stepId }] = stored.steps;
  const wanted = [
    {
      type: 'timed',
      amount: 1,
      unit: 'months',
      timed: {
        atTime: '08:30',
        monthlyType: 'on',
        ordinal: 'last',
        ordinalValue: 'weekday',
        weekDays: ['monday'],
        monthDays: [1, 15],
      },
      timezone: 'Europe/Berlin',
      extendToSchedule: true,
    },
    { type: 'backoff', amount: 5, unit: 'minutes', backoffAmount: 2, backoffUnit: 'hours', digestKey: 'order.id' },
    { type: 'scheduled', delayPath: 'order.sendAt', amount: undefined, unit: undefined },
    { type: 'dynamic', threshold: 3, dynamicKey: 'mutedUntil', throttleKey: 'order.id', amount: undefined },
    {
      event: 'order.paid',
      match: [{ path: 'order.id', value: '{{order.id}}' }],
      amount: 2,
      unit: 'days',
      onMatch: 'stop',
      onTimeout: 'stop',
    },
    {
      event: 'message.seen',
      step: stepId ?? uuid,
      amount: 10,
      unit: 'minutes',
      onMatch: 'stop',
      onTimeout: 'continue',
    },
    {
      arms: [
        { name: 'A', share: 40 },
        { name: 'B', share: 60 },
      ],
    },
  ];
  for (const [at, want] of wanted.entries()) {
    const { metadata } = stored.steps[at];
    assert.deepEqual(Object.fromEntries(Object.keys(want).map((name) => [name, metadata[name]])), want);
  }
  await checkFault(page, keep);
  await checkNarrow(page, keep);
  await onPage(page, 'Workflows');
  await client.workflows.deleteWorkflow({ path: { workflowId } });
}

async function fillDigests(page, keep) {
  await addStep(page, 'Digest');
  await page.getByLabel('For', { exact: true }).fill('3');
  await page.getByLabel('Collect', { exact: true }).selectOption('timed');
  assert.equal(await page.getByLabel('Every', { exact: true }).inputValue(), '1');
  const unit = page.getByLabel('Unit', { exact: true });
  assert.deepEqual(await unit.locator('option').allTextContents(), ['minutes', 'hours', 'days', 'weeks', 'months']);
  await page.getByText('every day at 09:00').waitFor();
  await unit.selectOption('weeks');
  await page.getByLabel('Monday').check();
  await page.getByText('every week on Monday at 09:00').waitFor();
  await unit.selectOption('months');
  await page.getByLabel('Days', { exact: true }).fill('1, 15');
  await page.keyboard.press('Tab');
  await page.getByText('every month on day 1, 15 at 09:00').waitFor();
  await keep('digest-month-days');
  await page.getByLabel('At', { exact: true }).fill('08:30');
  await page.getByLabel('On', { exact: true }).selectOption('on');
  await page.getByLabel('Which', { exact: true }).selectOption('last');
  await page.getByLabel('Day', { exact: true }).selectOption('weekday');
  await page.getByText('every month on the last weekday at 08:30 UTC').waitFor();
  await page.getByLabel('Time zone').fill('Europe/Berlin');
  await page.getByText('at 08:30 in Europe/Berlin').waitFor();
  await page.getByLabel('Wait for the delivery hours').check();
  await keep('digest-month');
  await addStep(page, 'Digest');
  await page.getByLabel('Collect', { exact: true }).selectOption('backoff');
  assert.equal(await page.getByLabel('Look back').inputValue(), '5');
  await page.getByLabel('Look back').fill('2');
  await page.getByLabel('Unit', { exact: true }).nth(1).selectOption('hours');
  await page.getByLabel('Collect apart by').fill('order.id');
  await page.getByText('unless another one came within the previous 2 hours').waitFor();
  await keep('digest-backoff');
}

/** What was chosen before comes back while the form is open. */
async function fillDelay(page, keep) {
  await addStep(page, 'Delay');
  await page.getByLabel('For', { exact: true }).fill('7');
  await page.getByText('Waits 7 hours.').waitFor();
  await page.getByLabel('Wait', { exact: true }).selectOption('scheduled');
  await page.getByLabel('For', { exact: true }).waitFor({ state: 'detached' });
  await page.getByLabel('Wait', { exact: true }).selectOption('regular');
  assert.equal(await page.getByLabel('For', { exact: true }).inputValue(), '7');
  await page.getByLabel('Wait', { exact: true }).selectOption('scheduled');
  await page.getByLabel('Date in the payload').fill('order.sendAt');
  await page.getByText('Waits until the date in payload.order.sendAt').waitFor();
  await keep('delay');
}

async function fillThrottle(page, keep) {
  await addStep(page, 'Throttle');
  await page.getByText('Lets 1 event through in 1 hour').waitFor();
  assert.equal(await page.getByLabel('Window').inputValue(), 'fixed');
  await page.getByLabel('Let through').fill('3');
  await page.getByLabel('In', { exact: true }).fill('2');
  await page.getByText('Lets 3 events through in 2 hours').waitFor();
  await keep('throttle');
  await page.getByLabel('Window').selectOption('dynamic');
  await page.getByLabel('Length in the payload').fill('mutedUntil');
  await page.getByLabel('Count apart by').fill('order.id');
  await page.getByText('until the end in mutedUntil, separately for each order.id').waitFor();
}

async function fillWaits(page, keep) {
  await addStep(page, 'Wait for event');
  const event = page.getByLabel('Event', { exact: true });
  await event.selectOption({ label: 'A signal of the application' });
  assert.equal(await page.getByLabel('Name of the signal').inputValue(), 'order.paid');
  await page.getByRole('button', { name: 'Add entry' }).click();
  await page.getByLabel('Path', { exact: true }).fill('order.id');
  await page.getByLabel('Value', { exact: true }).fill('{{order.id}}');
  await page.getByLabel('At most').fill('2');
  await page.getByLabel('Unit', { exact: true }).selectOption('days');
  await page.getByLabel('When it does not come').selectOption({ label: 'Stop here' });
  await page
    .getByText('the signal order.paid with order.id = {{order.id}}; ends here if it comes, and ends here if not')
    .waitFor();
  await keep('wait-for-signal');
  await addStep(page, 'Wait for event');
  await event.selectOption({ label: 'A message is seen' });
  await page.getByLabel('Message of the step').selectOption({ index: 1 });
  await keep('wait-for-message');
}

async function fillSplit(page, keep) {
  await addStep(page, 'Split');
  const arms = page.getByRole('group', { name: 'Arms' });
  for (const [at, name, share] of [
    [0, 'A', '40'],
    [1, 'B', '60'],
    [2, 'C', '5'],
  ]) {
    await arms.getByRole('button', { name: 'Add entry' }).click();
    await arms.getByLabel('Name').nth(at).fill(name);
    await arms.getByLabel('Share').nth(at).fill(share);
  }
  await arms.getByRole('button', { name: 'Remove entry 3 of Arms' }).click();
  await arms.getByLabel('Name').nth(2).waitFor({ state: 'detached' });
  await keep('split');
}

/** What the API refuses stands beside the field of the form. */
async function checkFault(page, keep) {
  await steps(page).getByRole('button', { name: '5. Wait for event' }).click();
  await page.getByLabel('At most').fill('31');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const field = page.getByLabel('At most');
  await page.locator('.faulty').filter({ has: field }).getByText('must be at most 30 days').waitFor();
  await keep('step-form-fault');
  await page.getByRole('button', { name: 'Discard' }).click();
}

async function checkNarrow(page, keep) {
  const wide = page.viewportSize();
  await page.setViewportSize(NARROW);
  for (const name of ['1. Digest', '4. Throttle', '5. Wait for event']) {
    await steps(page).getByRole('button', { name }).click();
    const width = await page.evaluate('document.documentElement.scrollWidth');
    assert.ok(width <= NARROW.width, `${name} has to be scrolled sideways: ${width} px`);
    await checkAccessible(page, `the form of ${name}`);
    await keep(`${name.replaceAll(/\W+/g, '-').toLowerCase()}-narrow`);
  }
  await page.setViewportSize(wide);
}
