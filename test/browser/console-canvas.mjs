import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { openBrowser, watch } from './chromium.mjs';
import { checkAccessible } from './console/axe.mjs';
import { openConsole, signIn } from './console/page.mjs';
import { checkWords } from './console/words.mjs';

const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 390, height: 844 };
const PEOPLE = Array.from({ length: 12 }, (_, n) => `person-${n}`);

/**
 * Looks at a workflow on the canvas, moves and adds steps there, and compares what became of two versions.
 * @param options.herald a Herald whose providers are those of `startProviders`
 * @param options.browser path of a Chromium
 * @param options.screenshot where to keep pictures, if anywhere; each gets a name before the ending
 * @returns what the console of the browser complained about
 * @throws at the first thing that the page does not show
 */
export async function useTheCanvas({ herald, browser, screenshot }) {
  const workflow = await setUp(herald);
  const { context, close } = await openBrowser(browser, WIDE);
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  let pictures = 0;
  const keep = async (name) => {
    if (screenshot === undefined) return;
    const path = screenshot.replace(/(\.\w+)$/, `-canvas-${++pictures}-${name}$1`);
    await page.screenshot({ path, fullPage: true });
  };
  const complaints = watch(page);
  try {
    await checkFigures(page, { herald, workflow, keep });
    await checkView(page);
    await checkLook(page, herald);
    await checkEditing(page, { herald, workflow, keep });
    await checkVersions(page, { herald, workflow, keep });
    return complaints;
  } catch (error) {
    await keep('failed');
    throw error;
  } finally {
    await close();
  }
}

/** A split with an arm each, before which it waits for a moment; it has run for some people. */
async function setUp({ client }) {
  const credentials = { from: 'shop@herald.example', senderName: 'The shop', apiKey: 'k-secret-9' };
  await client.integrations.createIntegration({
    body: { providerId: 'postmark', channel: 'email', name: 'Mail', credentials, active: true, check: false },
  });
  const halves = { arms: [{ name: 'short', share: 50 }, { name: 'long', share: 50 }] }; // prettier-ignore
  const inArm = (arm) => ({ branch: { step: 'subject', arm } });
  const mail = { type: 'email', contentType: 'customHtml', subject: 'The news of this week', content: '<p>News</p>' };
  const paid = [{ children: [{ on: 'payload', field: 'plan', operator: 'EQUAL', value: 'pro' }] }];
  const workflow = await client.workflows.createWorkflow({
    body: {
      name: 'Weekly news',
      active: true,
      steps: [
        { name: 'Greeting', template: { type: 'in_app', content: 'Good morning, {{subscriber.firstName}}' } },
        { stepId: 'subject', name: 'Subject', template: { type: 'split' }, metadata: halves },
        { ...inArm('short'), name: 'Short', template: { type: 'in_app', content: 'News' } },
        { ...inArm('long'), name: 'Long', template: mail },
        { ...inArm('long'), name: 'More', template: { type: 'in_app', content: 'Read on' }, filters: paid },
        { name: 'A day', template: { type: 'delay' }, metadata: { type: 'regular', amount: 1, unit: 'days' } },
        { name: 'Reminder', template: { type: 'in_app', content: 'Still there?' } },
      ],
    },
  });
  await runFor(client, workflow, PEOPLE);
  return workflow;
}

async function runFor(client, workflow, people) {
  const name = workflow.triggers[0].identifier;
  const to = people.map((id) => ({ subscriberId: id, firstName: id, email: `${id}@example.com` }));
  const { transactionId } = await client.events.triggerEvent({ body: { name, to, payload: { plan: 'pro' } } });
  for (let found = []; found.length < people.length;) {
    found = await client.notifications.listNotifications({ query: { transactionId, limit: 100 } });
    // Each waits for a day.
    found = found.filter(({ jobs = [] }) => jobs.some(({ type, status }) => type === 'delay' && status === 'delayed'));
  }
}

const canvas = (page) => page.locator('.canvas');
const card = (page, name) => canvas(page).getByRole('button', { name });

/** Every step with what became of it; the chosen one in full below. */
async function checkFigures(page, { herald, workflow, keep }) {
  await openConsole(page, herald, `/workflows/${workflow._id}`);
  await signIn(page, herald.apiKey);
  await card(page, /Greeting/)
    .getByText('12', { exact: true })
    .waitFor();
  await canvas(page).getByText('Waits 1 day').waitFor();
  const [short, long] = [await boxOf(card(page, /Short/)), await boxOf(card(page, /Long/))];
  assert.equal(short.y, long.y, 'arms stand side by side');
  assert.ok(long.x >= short.x + short.width, 'arms stand side by side');
  await card(page, /Long/).click();
  await page.locator('.flow').getByText('Only for those who take the arm “long” of step 2').waitFor();
  await checkWords(page, 'a workflow on the canvas');
  await inAllSizes(page, 'figures', keep);
}

const boxOf = (part) => part.boundingBox();
const scaleOf = async (page) => Number.parseInt(await page.locator('.canvas-scale').innerText(), 10);

/** By buttons, wheel and pointer. */
async function checkView(page) {
  const tools = page.getByRole('group', { name: 'Size of the canvas' });
  await page.locator('.canvas-window').scrollIntoViewIfNeeded();
  await tools.getByRole('button', { name: 'Fit' }).click();
  const fitting = await scaleOf(page);
  let window = await boxOf(page.locator('.canvas-window'));
  const last = await boxOf(card(page, /Reminder/));
  assert.ok(last.y + last.height <= window.y + window.height, 'the last step is not in view');
  await tools.getByRole('button', { name: 'Larger' }).click();
  assert.ok((await scaleOf(page)) > fitting, 'the canvas did not become larger');
  // The page may have been scrolled to the button.
  window = await boxOf(page.locator('.canvas-window'));
  const ground = { x: window.x + 20, y: window.y + window.height / 2 };
  await page.mouse.move(ground.x, ground.y);
  const before = await scaleOf(page);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, 200);
  await page.keyboard.up('Control');
  await page.waitForFunction(
    (former) => Number.parseInt(globalThis.document.querySelector('.canvas-scale').textContent, 10) < former,
    before,
  );
  const from = await boxOf(card(page, /Greeting/));
  await page.mouse.down();
  await page.mouse.move(ground.x + 40, ground.y + 30, { steps: 4 });
  await page.mouse.up();
  const to = await boxOf(card(page, /Greeting/));
  assert.deepEqual([to.x - from.x, to.y - from.y].map(Math.round), [40, 30]);
}

/** What was chosen is there again, and the list shows the same steps. */
async function checkLook(page, { apiKey }) {
  const looks = page.getByRole('group', { name: 'Show steps as' });
  await looks.getByRole('button', { name: 'List' }).click();
  await page.locator('.flow > li').nth(6).waitFor();
  await page.reload();
  await signIn(page, apiKey);
  await page.locator('.flow > li').nth(6).waitFor();
  assert.equal(await canvas(page).count(), 0);
  await looks.getByRole('button', { name: 'Canvas' }).click();
  await card(page, /Reminder/).waitFor();
}

/** The focus moves the canvas to what is out of view. */
async function press(button) {
  await button.focus();
  await button.click();
}

/** A step is moved to another arm and another is added at a plus; what is saved has both. */
async function checkEditing(page, { herald: { client }, workflow, keep }) {
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await card(page, /Greeting/).waitFor();
  await card(page, /Long/).click();
  await page.getByRole('heading', { level: 2, name: /Long/ }).waitFor();
  const more = await boxOf(card(page, /More/));
  const plus = await boxOf(canvas(page).getByRole('button', { name: 'Add a step before step 3 in the arm “short”' }));
  await page.mouse.move(more.x + more.width / 2, more.y + 20);
  await page.mouse.down();
  await page.mouse.move(plus.x + 60, plus.y + 40, { steps: 6 });
  await page.mouse.move(plus.x + plus.width / 2, plus.y + plus.height / 2, { steps: 4 });
  await canvas(page).locator('.canvas-plus.target').waitFor();
  await keep('dragged');
  await page.mouse.up();
  await page.getByText('More is now step 3 of 7.').waitFor({ state: 'attached' });
  await press(canvas(page).getByRole('button', { name: 'Add a step at the end', exact: true }));
  const dialog = page.getByRole('dialog', { name: 'Add a step' });
  await dialog.getByRole('button', { name: /^SMS / }).click();
  await page.getByRole('heading', { level: 2, name: /SMS/ }).waitFor();
  await press(canvas(page).getByRole('button', { name: 'Settings' }));
  await page.getByLabel('Name', { exact: true }).waitFor();
  await press(card(page, /Short/));
  await checkWords(page, 'the canvas of the editor');
  await inAllSizes(page, 'editor', keep);
  await moveBlock(page, keep);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved as version 1.').waitFor();
  const { steps } = await client.workflows.getWorkflow({ path: { workflowId: workflow._id } });
  assert.deepEqual(
    steps.map(({ name, branch, template }) => [name ?? template.type, branch?.arm].filter(Boolean).join(' in ')),
    ['Greeting', 'A day', 'Subject', 'More in short', 'Short in short', 'Long in long', 'Reminder', 'sms'],
  );
}

/** In the list, a split moves, is copied and is deleted with what stands in its arms, and nothing goes before its own split. */
async function moveBlock(page, keep) {
  const looks = page.getByRole('group', { name: 'Show steps as' });
  await looks.getByRole('button', { name: 'List' }).click();
  const steps = page.getByRole('navigation', { name: 'Steps of the workflow' });
  const step = (name) => steps.getByRole('button', { name });
  await step('3. More').focus();
  await page.keyboard.press('Alt+ArrowUp');
  await page.getByText('More stays: a step comes after those that it depends on.').waitFor();
  await step('2. Subject').focus();
  await page.keyboard.press('Alt+ArrowDown');
  await page.getByText('Subject is now step 3 of 8.').waitFor({ state: 'attached' });
  await step('3. Subject').click();
  await keep('list');
  await changeArms(page, { step, keep });
  await page.getByRole('button', { name: 'Duplicate', exact: true }).click();
  await step('7. Subject copy').waitFor();
  await step('10. Long').waitFor();
  await page.getByRole('button', { name: 'Delete…', exact: true }).click();
  await page.getByText('The step and the 3 steps in its arms leave the draft.').waitFor();
  await page.getByRole('button', { name: 'Delete step' }).click();
  await step('8. SMS').waitFor();
  await looks.getByRole('button', { name: 'Canvas' }).click();
}

/** What stands in an arm follows its name, and leaves with it only after a question. */
async function changeArms(page, { step, keep }) {
  const name = page.getByRole('group', { name: 'Arms' }).getByLabel('Name').first();
  await name.fill('brief');
  await step('4. More').click();
  assert.equal(await page.getByLabel('Runs for').inputValue(), 'subject\nbrief');
  await step('3. Subject').click();
  await page.getByRole('button', { name: 'Remove entry 1 of Arms' }).click();
  await page.getByText('The arm and the 2 steps in it leave the draft.').waitFor();
  await keep('arm');
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await name.fill('short');
}

/** Some have run the version that was just saved: its figures stand beside those of the first one, also in the file. */
async function checkVersions(page, { herald: { client, apiKey }, workflow, keep }) {
  await runFor(client, workflow, PEOPLE.slice(0, 5));
  await page.locator('.page-above').getByRole('link').click();
  await page.getByRole('link', { name: 'Compare two versions in figures' }).click();
  const row = page.getByRole('row', { name: /Greeting/ });
  await row.waitFor();
  const cells = await row.getByRole('cell').allInnerTexts();
  assert.deepEqual(cells.slice(0, 2), ['12', '5']);
  assert.equal(await page.getByRole('row', { name: /SMS/ }).getByText('–').count(), 8);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as CSV' }).click();
  const text = readFileSync(await (await download).path(), 'utf8');
  assert.match(text, /^step,type,completed v0,completed v1,/);
  assert.match(text, /^Greeting,in_app,12,5,/m);
  await checkWords(page, 'two versions in figures');
  await inAllSizes(page, 'versions', keep);
  await checkDensity(page, row, { apiKey, keep });
}

/** More rows of a table are in view, also the next time. */
async function checkDensity(page, row, { apiKey, keep }) {
  const { height } = await boxOf(row);
  const compact = page.getByRole('button', { name: 'Compact tables' });
  await compact.click();
  assert.ok((await boxOf(row)).height < height, 'rows are as high as before');
  await keep('compact');
  await page.reload();
  await signIn(page, apiKey);
  await page.locator('html[data-tables=compact]').waitFor();
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
