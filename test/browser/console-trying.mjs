import assert from 'node:assert/strict';
import { openBrowser, watch } from './chromium.mjs';
import { checkAccessible } from './console/axe.mjs';
import { openConsole, showStepsAsList, signIn } from './console/page.mjs';
import { checkWords } from './console/words.mjs';

const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 390, height: 844 };
const PEOPLE = ['ada', 'grace', 'mary', 'pia', 'rosa', 'sofia'];

/**
 * Tries a workflow before it is changed or sent: who would get another result, what a person would get and when, and a run that does not
 * wait.
 * @param options.herald a Herald whose providers are those of `startProviders`
 * @param options.browser path of a Chromium
 * @param options.screenshot where to keep pictures, if anywhere; each gets a name before the ending
 * @returns what the console of the browser complained about
 * @throws at the first thing that the page does not show
 */
export async function tryWorkflows({ herald, browser, screenshot }) {
  const workflow = await setUp(herald);
  const { context, close } = await openBrowser(browser, WIDE);
  const page = await context.newPage();
  await showStepsAsList(page);
  page.setDefaultTimeout(15_000);
  let pictures = 0;
  const keep = async (name) => {
    if (screenshot === undefined) return;
    const path = screenshot.replace(/(\.\w+)$/, `-trying-${++pictures}-${name}$1`);
    await page.screenshot({ path, fullPage: true });
  };
  const complaints = watch(page);
  try {
    await checkImpact(page, { herald, workflow, keep });
    await checkTimeLine(page, { herald, workflow, keep });
    await checkRunWithoutWaits(page, keep);
    await checkForgotten(page);
    return complaints;
  } catch (error) {
    await keep('failed');
    throw error;
  } finally {
    await close();
  }
}

/** A message at once, one after an hour, and one when an order is not paid; it has run for some people. */
async function setUp({ client }) {
  const credentials = { from: 'shop@herald.example', senderName: 'The shop', apiKey: 'k-secret-9' };
  await client.integrations.createIntegration({
    body: { providerId: 'postmark', channel: 'email', name: 'Mail', credentials, active: true, check: false },
  });
  const metadata = { event: 'order.paid', amount: 3, unit: 'days', onTimeout: 'continue', onMatch: 'stop' };
  const mail = { type: 'email', contentType: 'customHtml', subject: 'Still open', content: '<p>Order {{order}}</p>' };
  const workflow = await client.workflows.createWorkflow({
    body: {
      name: 'Order placed',
      active: true,
      steps: [
        { name: 'Thank you', template: { type: 'in_app', content: 'Thank you, {{subscriber.firstName}}!' } },
        { name: 'An hour', template: { type: 'delay' }, metadata: { type: 'regular', amount: 1, unit: 'hours' } },
        { name: 'Tip', template: { type: 'in_app', content: 'Order {{order}} can be changed until noon.' } },
        { name: 'Payment', template: { type: 'wait_for_event' }, metadata },
        { name: 'Reminder', template: mail },
      ],
    },
  });
  const name = workflow.triggers[0].identifier;
  const to = PEOPLE.map((id) => ({ subscriberId: id, firstName: id, email: `${id}@example.com` }));
  const { transactionId } = await client.events.triggerEvent({ body: { name, to, payload: { order: 4711 } } });
  for (let found = []; found.length < PEOPLE.length;) {
    found = await client.notifications.listNotifications({ query: { transactionId } });
  }
  return workflow;
}

/** A step more, and one that nobody's result depends on. */
async function checkImpact(page, { herald, workflow, keep }) {
  await openConsole(page, herald, `/workflows/${workflow._id}/edit`);
  await signIn(page, herald.apiKey);
  const steps = page.getByRole('navigation', { name: 'Steps of the workflow' });
  await steps
    .getByRole('button', { name: /Thank you/ })
    .first()
    .waitFor();
  assert.equal(await page.getByRole('button', { name: 'Who would get another result?' }).count(), 0);
  await page.getByText('Add step', { exact: true }).click();
  await steps
    .locator('.add-step')
    .getByRole('button', { name: /^In-app / })
    .click();
  await page.getByRole('button', { name: 'Who would get another result?' }).click();
  await page.getByText('Of 6 notifications of the last 7 days, 6 people would get another result.').waitFor();
  assert.equal(await page.locator('.impact-people > li').count(), 5);
  const first = page.locator('.impact-people > li').first();
  await first.getByText('In-app, In-app, Email', { exact: true }).waitFor();
  await first.getByText('In-app, In-app, Email, In-app', { exact: true }).waitFor();
  await checkWords(page, 'who would get another result');
  await inAllSizes(page, 'impact', keep);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Who would get another result?' }).waitFor({ state: 'detached' });
}

async function checkTimeLine(page, { herald, workflow, keep }) {
  await openConsole(page, herald, `/workflows/${workflow._id}/run`);
  await signIn(page, herald.apiKey);
  await page.getByLabel('Subscribers', { exact: true }).fill('ada');
  await page.getByRole('button', { name: 'Start dry run' }).click();
  const line = page.getByRole('region', { name: 'Time line' });
  const shown = (text) => line.getByRole('heading', { level: 3, name: text }).waitFor();
  await shown('At once');
  await line.frameLocator('.mail-frame').frameLocator('iframe').getByText('Thank you, ada!').waitFor();
  const slider = line.getByRole('slider', { name: 'Moment' });
  await slider.focus();
  await page.keyboard.press('ArrowRight');
  await shown('After 1 hour');
  assert.equal(await slider.getAttribute('aria-valuetext'), 'After 1 hour');
  await page.keyboard.press('End');
  await shown('On day 3');
  await line.locator('.mail-subject').filter({ hasText: 'Still open' }).waitFor();
  await checkWords(page, 'a time line');
  await inAllSizes(page, 'time-line', keep);
  await line.getByLabel('While it waits for order.paid').selectOption({ label: 'It happens at once' });
  await line.getByText('The event that the workflow waited for has come').waitFor();
  await keep('event-happens');
}

async function checkRunWithoutWaits(page, keep) {
  await page.getByLabel('Do not wait').check();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByText('The run has ended.').waitFor();
  await keep('without-waits');
  await page.locator('.workbench-result tbody').getByRole('link').first().click();
  await page.getByText('Wait was skipped because the event was triggered with skipWaits').first().waitFor();
}

/** What a workflow was run with can be about people: whoever signs in next does not find it. */
async function checkForgotten(page) {
  const payloads = () =>
    page.evaluate(() => Object.keys(globalThis.localStorage).filter((name) => name.startsWith('herald.payload.')));
  assert.equal((await payloads()).length, 1);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('API key').waitFor();
  assert.deepEqual(await payloads(), []);
  assert.equal(await page.evaluate(() => globalThis.localStorage.getItem('herald.steps')), 'list');
}

async function inAllSizes(page, what, keep) {
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    for (const [name, size] of Object.entries({ wide: WIDE, narrow: NARROW })) {
      await page.setViewportSize(size);
      const width = await page.evaluate('document.documentElement.scrollWidth');
      assert.ok(width <= size.width, `${what} has to be scrolled sideways: ${width} px at ${size.width}`);
      await checkAccessible(page, `${what}, ${name}, ${colorScheme}`);
      await keep(`${what}-${name}-${colorScheme}`);
    }
  }
  await page.setViewportSize(WIDE);
  await page.emulateMedia({ colorScheme: 'light' });
}
