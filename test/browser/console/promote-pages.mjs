import assert from 'node:assert/strict';
import { Herald } from '@herald/client';
import { checkAccessible } from './axe.mjs';
import { follow, onPage } from './page.mjs';

const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 780 };

/**
 * A person in both environments promotes everything, then a changed workflow, and makes Production read-only.
 * @param page in Development, as it is again at the end
 * @param key of Development
 */
export async function checkPromotion(page, herald, key, keep) {
  const client = new Herald({ baseUrl: herald.url, apiKey: key });
  const [{ _id: workflowId, name }] = await client.workflows.listWorkflows();
  const rename = (next) => client.workflows.updateWorkflow({ path: { workflowId }, body: { name: next } });
  await promoteAll(page, name, keep);
  await promoteOne(page, { name, rename }, keep);
  await lookAtVersion(page);
  await makeReadOnly(page, keep);
  await rename(name);
}

async function promoteAll(page, name, keep) {
  await onPage(page, 'Workflows');
  await page.getByRole('link', { name: 'Promote' }).click();
  await page.getByRole('heading', { name: 'What changes in Production' }).waitFor();
  const summary = page.locator('summary', { hasText: 'workflow' });
  assert.match(await summary.innerText(), /New\s+workflow .+ version \d+/);
  await summary.focus();
  await page.keyboard.press('Enter');
  await page.locator('.diff', { hasText: name }).first().waitFor();
  await page.locator('.diff', { hasText: 'welcome to {{product}}' }).first().waitFor();
  await checkAccessible(page, 'the page of a promotion');
  await keep(page, 'promote-all-1280');
  await page.getByRole('button', { name: /^Promote \d+ changes? to Production$/ }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('status').filter({ hasText: 'promoted to Production' }).waitFor();
  await page.reload();
  await page.getByText('Production already has everything that Development has').waitFor();
}

/** Somebody changes the workflow again while the difference is shown. */
async function promoteOne(page, { name, rename }, keep) {
  await rename('Renamed');
  await onPage(page, 'Workflows');
  await page.getByRole('link', { name: 'Renamed' }).click();
  await page.locator('h1', { hasText: 'Renamed' }).waitFor();
  await page.getByRole('link', { name: 'Promote' }).click();
  const difference = page.locator('.diff');
  await difference.filter({ hasText: 'Renamed' }).waitFor();
  assert.ok((await difference.innerText()).includes(`− ${name}`), 'the difference has not the former name');
  await shootNarrow(page, 'promote-one', keep);
  await rename('Renamed again');
  const promote = page.getByRole('button', { name: 'Promote 1 change to Production' });
  await promote.click();
  await page.getByRole('alert').filter({ hasText: 'has changed since the difference was shown' }).waitFor();
  assert.equal(await promote.isDisabled(), true);
  await page.getByRole('button', { name: 'Try again' }).click();
  await difference.filter({ hasText: 'Renamed again' }).waitFor();
  await promote.click();
  await page.getByRole('status').filter({ hasText: '1 change was promoted to Production' }).waitFor();
  await checkAccessible(page, 'the page after a promotion');
  await keep(page, 'promoted-1280');
}

async function lookAtVersion(page) {
  await page.getByRole('button', { name: 'Open the workflow in Production' }).click();
  await page.locator('.who-environment option:checked', { hasText: 'Production' }).waitFor({ state: 'attached' });
  await page.locator('h1', { hasText: 'Renamed again' }).waitFor();
  await page.getByRole('link', { name: 'Versions', exact: true }).click();
  const row = page.locator('tbody tr', { hasText: 'Promoted from Development (version' }).first();
  await row.waitFor();
  assert.match(await row.innerText(), /Ada Lovelace/);
}

async function makeReadOnly(page, keep) {
  await follow(page, 'Environment');
  await page.locator('h1', { hasText: 'Production' }).waitFor();
  await page.getByRole('button', { name: 'Make read-only' }).click();
  await page.getByText('Production is read-only now.').waitFor();
  await checkAccessible(page, 'the page of an environment');
  await keep(page, 'environment-1280');
  await onPage(page, 'Workflows');
  const notice = page.getByText('This environment is read-only. Changes come by promotion');
  await notice.waitFor();
  assert.equal(await page.getByRole('button', { name: 'New workflow…' }).isDisabled(), true);
  await page.getByRole('link', { name: 'Renamed again' }).click();
  await page.locator('h1', { hasText: 'Renamed again' }).waitFor();
  for (const name of ['Switch off', 'Edit', 'Duplicate…', 'Delete…']) {
    assert.equal(await page.getByRole('button', { name, exact: true }).isDisabled(), true, name);
  }
  // By its address, as from a bookmark.
  await page.evaluate(() => globalThis.history.pushState(null, '', `${globalThis.location.pathname}/edit`));
  await page.getByRole('button', { name: 'Save', exact: true }).waitFor();
  await notice.waitFor();
  await page.getByLabel('Name', { exact: true }).first().fill('Not saved');
  await page.getByText('Unsaved changes').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled(), true);
  await page.keyboard.press('Control+s');
  await checkAccessible(page, 'the editor in a read-only environment');
  await shootNarrow(page, 'read-only-editor', keep);
  await page.getByRole('button', { name: 'Discard' }).click();
  for (const [link, button] of [
    ['Layouts', 'New layout…'],
    ['Translations', 'Add a locale…'],
    ['Feeds and groups', 'New feed…'],
    ['Budgets', 'New budget…'],
  ]) {
    await onPage(page, link);
    await notice.waitFor();
    assert.equal(await page.getByRole('button', { name: button }).isDisabled(), true, link);
  }
  await follow(page, 'Environment');
  await page.getByRole('button', { name: 'Allow changes' }).click();
  await page.getByText('Production can be edited again.').waitFor();
  await page.getByLabel('Environment', { exact: true }).selectOption({ label: 'Development' });
  await page.locator('h1', { hasText: 'Development' }).waitFor();
}

async function shootNarrow(page, name, keep) {
  await page.setViewportSize(PHONE);
  await page.emulateMedia({ colorScheme: 'dark' });
  const { scrollWidth, clientWidth } = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = globalThis.document.documentElement;
    return { scrollWidth, clientWidth };
  });
  assert.ok(scrollWidth <= clientWidth, `${name}: ${scrollWidth} px on a phone`);
  await checkAccessible(page, `${name} on a phone, dark`);
  await keep(page, `${name}-390-dark`);
  await page.setViewportSize(WIDE);
  await page.emulateMedia({ colorScheme: 'light' });
  await keep(page, `${name}-1280`);
}
