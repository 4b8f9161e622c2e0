import assert from 'node:assert/strict';

/** Steps that several tests of the console take. */

export async function openConsole(page, { url }, path = '') {
  await page.goto(`${url}/console${path}`);
}

export async function signIn(page, key) {
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Console' }).waitFor({ state: 'attached' });
}

/** Steps are shown as a list, as the keyboard and screen readers have them. */
export async function showStepsAsList(page) {
  await page.addInitScript(() => {
    // Frames have no storage.
    if (globalThis.self === globalThis.top) globalThis.localStorage.setItem('herald.steps', 'list');
  });
}

/** Follows a link of the navigation, whose group may be folded. */
export async function follow(page, name) {
  const menu = page.getByRole('navigation', { name: 'Console' });
  const link = menu.getByRole('link', { name, exact: true });
  const group = menu.locator('details:not([open])').filter({ has: page.locator('a', { hasText: name }) });
  if (!(await link.isVisible()) && (await group.count()) > 0) await group.first().locator('summary').click();
  await link.click();
}

export async function onPage(page, name) {
  await follow(page, name);
  await page.locator('h1', { hasText: name }).waitFor();
}

/** Filters the activity by a transaction. */
export async function filter(page, transactionId) {
  await onPage(page, 'Activity');
  const clear = page.getByRole('button', { name: 'Clear filters' }).first();
  if (await clear.isVisible()) await clear.click();
  await page.getByLabel('Transaction id').fill(transactionId);
  await page.keyboard.press('Enter');
  await page.waitForURL(new RegExp(`transaction=${transactionId}`));
}

/** A list shows its former rows until the ones that were asked for are there. */
export async function waitForCount(parts, count) {
  await parts.nth(count).waitFor({ state: 'detached' });
  await parts.nth(count - 1).waitFor();
  assert.equal(await parts.count(), count);
}

/** Opens the notification of a transaction. @returns the text of the page */
export async function find(page, transactionId) {
  await filter(page, transactionId);
  // Rows of others have gone: none moves away from under the click.
  await page.locator('tbody tr').filter({ hasNotText: transactionId }).first().waitFor({ state: 'detached' });
  await page.locator('tbody tr', { hasText: transactionId }).getByRole('link').click();
  await page.locator('.step-list').waitFor();
  await page.locator('dd', { hasText: transactionId }).first().waitFor();
  return page.locator('main').innerText();
}

/** Presses a button, and the action of the dialog that it opens. */
export async function confirm(page, button, action, toast) {
  await page.getByRole('button', { name: button }).click();
  await page.getByRole('dialog').getByRole('button', { name: action, exact: true }).click();
  await page.getByText(toast).waitFor();
}

/**
 * Opens a page in a new tab, and focuses a part of it as soon as that is there, as password managers do. The page must not take the focus
 * away afterwards.
 */
export async function checkFocusIsKept(context, herald, path, selector) {
  const tab = await context.newPage();
  await tab.addInitScript((wanted) => {
    const { document, MutationObserver } = globalThis;
    const observer = new MutationObserver(() => {
      const found = document.querySelector(wanted);
      if (found === null) return;
      observer.disconnect();
      found.focus();
    });
    observer.observe(document, { childList: true, subtree: true });
  }, selector);
  await openConsole(tab, herald, path);
  await tab.locator(selector).first().waitFor();
  // What is left for after the next frame has run then.
  await tab.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))',
  );
  const focused = await tab.evaluate('document.activeElement.outerHTML');
  assert.ok(await tab.locator(`${selector}:focus`).isVisible(), `${focused} took the focus`);
  await tab.close();
}
