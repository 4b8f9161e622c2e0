import assert from 'node:assert/strict';
import { checkAccessible } from './axe.mjs';
import { onPage } from './page.mjs';

const NAME = 'Rich mail';
/** Ready mails, with what the preview of each has. */
const STARTERS = [
  ['Welcome', 'Read the guide'],
  ['Receipt', 'Desk lamp'],
  ['Trial ends', 'Nothing is deleted'],
  ['Digest', 'What you have missed'],
  ['Security notice', 'Firefox on Windows'],
];
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const WIDTHS = [
  ['desk', 600],
  ['phone', 390],
];
const mailIn = (page) => page.locator('.live-preview').frameLocator('.mail-frame').frameLocator('iframe');
const block = (page, name) => page.getByRole('listitem', { name, exact: true });
const textOf = (page, name) => block(page, name).getByRole('textbox', { name: /^(?:Text|Heading)$/ });
const blockNames = (page) =>
  page
    .locator('.blocks > .block:not(.block .block)')
    .evaluateAll((all) => all.map((one) => one.ariaLabel.replace(/^Block \d+: /, '')));

/** A mail of blocks by hand: ready ones, values, links, the menu, the order, and what is wrong with it. */
export async function checkMailBlocks(page, { client }, context, keep) {
  await onPage(page, 'Workflows');
  await page.getByRole('button', { name: 'New workflow…' }).first().click();
  await page.getByLabel('Name').fill(NAME);
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Add step', { exact: true }).click();
  await page
    .locator('.add-step')
    .getByRole('button', { name: /^Email / })
    .click();
  await begin(page, 'Receipt');
  await mailIn(page).getByText('Desk lamp').waitFor();
  await page.locator('.mail-subject').filter({ hasText: 'Your order 4711' }).waitFor();
  await keep('receipt');
  await checkAccessible(page, 'blocks of a mail');
  const stored = await save(page, client);
  assert.ok(stored.content.some(({ type, each }) => type === 'product' && each === 'order.items'));
  await writeText(page);
  await useMenu(page, keep);
  await moveBlocks(page);
  await warn(page, keep);
  await uploadImage(page, client);
  await page.getByLabel('Pictures that Herald keeps').selectOption('inline');
  await keep('pictures');
  const { content, images } = await save(page, client);
  assert.equal(images, 'inline');
  assert.equal(
    content[0].content,
    'Hello <b>you</b> {{subscriber.firstName}}<br>See <a href="https://x.test/{{id}}">this</a>',
  );
  assert.deepEqual(content[2].styles, { backgroundColor: '#ffee00' });
  await lookAtStarters(page, context, keep);
  await page.getByRole('button', { name: 'Discard' }).click();
  await onPage(page, 'Workflows');
  const [{ _id: workflowId }] = await client.workflows.listWorkflows({ query: { query: NAME } });
  await client.workflows.deleteWorkflow({ path: { workflowId } });
}

async function begin(page, name) {
  await page.getByText('Begin with a ready mail').click();
  await page
    .locator('.starters')
    .getByRole('button', { name: new RegExp(`^${name}`) })
    .click();
}

async function save(page, client) {
  const stored = page.waitForResponse(
    (answer) => /^P(?:OS|U)T$/.test(answer.request().method()) && /\/v1\/workflows(?:\/\w{24})?$/.test(answer.url()),
  );
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await stored;
  // That of the save before may still be there.
  await page
    .getByText(/^Saved as version \d+\.$/)
    .last()
    .waitFor();
  const [{ _id: workflowId }] = await client.workflows.listWorkflows({ query: { query: NAME } });
  return (await client.workflows.getWorkflow({ path: { workflowId } })).steps[0].template;
}

/** Bold words, a value, a new line and a link. */
async function writeText(page) {
  await begin(page, 'Blank');
  const text = textOf(page, 'Block 1: Text');
  await text.locator('.value-chip').getByText('subscriber.firstName').waitFor();
  await text.click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('Hello ');
  await block(page, 'Block 1: Text').getByRole('button', { name: 'Bold' }).click();
  await page.keyboard.type('you');
  await block(page, 'Block 1: Text').getByRole('button', { name: 'Bold' }).click();
  await page.keyboard.type(' ');
  await block(page, 'Block 1: Text').getByLabel('Insert a value').selectOption('subscriber.firstName');
  await page.keyboard.press('Enter');
  await page.keyboard.type('See this');
  for (let characters = 0; characters < 4; characters += 1) await page.keyboard.press('Shift+ArrowLeft');
  await block(page, 'Block 1: Text').getByRole('button', { name: 'Link' }).click();
  await page.getByLabel('Address of the link').fill('https://x.test/{{id}}');
  await page.keyboard.press('Enter');
  await mailIn(page).getByText('Hello you Ada').waitFor();
  await mailIn(page).getByRole('link', { name: 'this' }).waitFor();
}

async function addBlock(page, typed) {
  await page.getByRole('button', { name: 'Add block' }).last().click();
  const find = page.getByPlaceholder('Type to find a kind');
  await find.fill(typed);
  await find.press('Enter');
}

/** A slash in an empty text becomes the block that is chosen. */
async function useMenu(page, keep) {
  await addBlock(page, 'words');
  await textOf(page, 'Block 2: Text').press('/');
  await page.getByRole('option', { name: /^Columns/ }).waitFor();
  await keep('block-menu');
  await page.keyboard.type('side by');
  await page.keyboard.press('Enter');
  await textOf(page, 'Block 2: Columns').first().fill('On the left');
  await textOf(page, 'Block 2: Columns').last().fill('On the right');
  await mailIn(page).getByText('On the right').waitFor();
  await addBlock(page, 'button');
  await block(page, 'Block 3: Button').waitFor();
  await page.getByRole('button', { name: 'Add block' }).last().click();
  await page.getByPlaceholder('Type to find a kind').press('Escape');
  await page.locator('.block-menu').waitFor({ state: 'detached' });
}

async function moveBlocks(page) {
  const names = async (...expected) => assert.deepEqual(await blockNames(page), expected);
  await names('Text', 'Columns', 'Button');
  await page.getByLabel('Button', { exact: true }).focus();
  await page.keyboard.press('Alt+ArrowUp');
  await page.getByText('Button is now block 2 of 3.').waitFor({ state: 'attached' });
  await page.locator('input:focus').waitFor();
  await names('Text', 'Button', 'Columns');
  await page.keyboard.press('Alt+ArrowDown');
  await page.getByText('Button is now block 3 of 3.').waitFor({ state: 'attached' });
  await names('Text', 'Columns', 'Button');
  const handle = (name) => block(page, name).locator('.block-handle').first();
  const size = page.viewportSize();
  // Both blocks are in sight.
  await page.setViewportSize({ ...size, height: 2_200 });
  await handle('Block 3: Button').dragTo(handle('Block 1: Text'));
  await block(page, 'Block 1: Button').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await block(page, 'Block 3: Button').waitFor();
  await page.setViewportSize(size);
}

/** What is wrong with a mail stands beside it, and goes away. */
async function warn(page, keep) {
  const button = block(page, 'Block 3: Button');
  const preview = page.locator('.live-preview');
  await preview.getByText('A link leads nowhere: its address is "https://".').waitFor();
  await button.getByLabel('Link', { exact: true }).fill('https://shop.example/plans');
  await preview.getByText('A link leads nowhere').waitFor({ state: 'detached' });
  await button.getByText('Look, list and condition').click();
  await button.getByLabel('Color of the button').fill('#ffee00');
  await preview.getByText('Text in #ffffff on #ffee00 is hard to read').waitFor();
  await keep('warnings');
}

/** The address of a stored picture takes the place of the one that was there, where mails can find it. */
async function uploadImage(page, client) {
  await addBlock(page, 'image');
  const image = block(page, 'Block 4: Image');
  await image.getByLabel('Description of the image').fill('Our logo');
  const choose = (name, buffer) =>
    image.getByLabel('Image file').setInputFiles({ name, mimeType: 'image/png', buffer });
  await choose('large.png', Buffer.alloc(600_000));
  await image.getByRole('alert').getByText('The image has 600 kB. It may have 500 kB.').waitFor();
  await choose('logo.png', Buffer.from(PIXEL, 'base64'));
  await image.getByRole('alert').filter({ hasText: '600 kB' }).waitFor({ state: 'detached' });
  const [{ name, url }] = await client.images.listImages();
  assert.equal(name, 'logo.png');
  // Without PUBLIC_URL there is none.
  if (url === undefined) await image.getByRole('alert').getByText('the setting PUBLIC_URL is not set').waitFor();
  else assert.equal(await image.getByLabel('Address of the image').inputValue(), url);
  await page.getByRole('button', { name: 'Remove block 4' }).click();
}

/** The ready mails as the preview shows them, on a desk and on a phone, light and dark. */
async function lookAtStarters(page, context, keep) {
  for (const [name, words] of STARTERS) {
    const rendered = page.waitForResponse(async (response) => (await bodyOf(response)).includes(words));
    await begin(page, name);
    const { content, warnings, missing } = JSON.parse(await bodyOf(await rendered)).data;
    // Without PUBLIC_URL there is no link to unsubscribe, and that of the footer leads nowhere.
    const expected = missing.length === 0 ? [] : ['link_without_target'];
    assert.deepEqual(
      [missing.filter((one) => one !== 'unsubscribeUrl'), warnings.map(({ code }) => code)],
      [[], expected],
      name,
    );
    const reader = await context.newPage();
    for (const colorScheme of ['light', 'dark']) {
      await reader.emulateMedia({ colorScheme });
      for (const [place, width] of WIDTHS) {
        await reader.setViewportSize({ width, height: 844 });
        await reader.setContent(content);
        const own = await reader.evaluate('document.scrollingElement.scrollWidth');
        assert.ok(own <= width, `${name} has to be scrolled sideways: ${own} px at ${width}`);
        await keep(`${name}-${place}-${colorScheme}`, reader);
      }
    }
    await reader.close();
  }
}

async function bodyOf(response) {
  return response.url().endsWith('/steps/preview') && response.ok() ? response.text() : '';
}
