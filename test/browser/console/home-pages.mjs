import assert from 'node:assert/strict';
import { checkAccessible } from './axe.mjs';
import { onPage } from './page.mjs';

const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 390, height: 844 };

/** The first page: what was sent and what failed, and from each figure to the list behind it. */
export async function checkHome(page, keep) {
  const before = page.viewportSize();
  await page.setViewportSize(WIDE);
  await onPage(page, 'Home');
  await page.getByRole('img', { name: /^SMS: \d+ sent and \d+ failed/ }).waitFor();
  await page.getByRole('table', { name: 'Providers in the last 24 hours' }).waitFor();
  await checkAccessible(page, 'the home page');
  await keep('home-1280');
  await followFailures(page);
  await followWorkflow(page);
  await followPoint(page);
  await page.getByRole('button', { name: 'Last 24 hours' }).click();
  await page.waitForURL(/range=24h/);
  await page.getByRole('img', { name: /^SMS: .* By hour, 24 in all/ }).waitFor();
  await page.setViewportSize(NARROW);
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    const width = await page.evaluate('document.documentElement.scrollWidth');
    assert.ok(width <= NARROW.width, `the home page has to be scrolled sideways: ${width} px`);
    await checkAccessible(page, `the narrow home page, ${colorScheme}`);
    await keep(`home-390-${colorScheme}`);
  }
  await page.setViewportSize(WIDE);
  await keep('home-1280-dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(before);
}

/** The number of a figure is that of the rows of its list. */
async function followFailures(page) {
  const figure = page.getByRole('region', { name: 'Totals' }).getByRole('link', { name: /^Failed notifications: / });
  const count = Number((await figure.innerText()).replaceAll(',', ''));
  assert.ok(count > 0, 'no notification has failed');
  await figure.focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/activity\?status=failed&from=/);
  await page.locator('tbody tr').first().waitFor();
  assert.equal(await page.locator('tbody tr').count(), Math.min(50, count));
  await page.goBack();
}

async function followWorkflow(page) {
  const row = page.getByRole('table', { name: 'Workflows that fail most' }).getByRole('row').nth(1);
  const name = await row.getByRole('rowheader').innerText();
  const failed = row.getByRole('cell').nth(1);
  const count = Number(await failed.innerText());
  await failed.getByRole('link').click();
  await page.waitForURL(/status=failed&workflow=[0-9a-f]{24}/);
  await page.locator('tbody tr').first().waitFor();
  const names = await page.locator('tbody tr').getByRole('link').allInnerTexts();
  assert.deepEqual([...new Set(names)], [name]);
  assert.equal(names.length, Math.min(50, count));
  await page.goBack();
}

async function followPoint(page) {
  const panel = page.locator('.provider', { has: page.getByRole('heading', { name: 'SMS' }) });
  await panel.getByText('Show as table').click();
  await panel.getByRole('rowheader').last().getByRole('link').click();
  await page.waitForURL(/\/activity\?channel=sms&from=.*&to=/);
  await page.locator('tbody tr').first().waitFor();
  await page.goBack();
}
