import assert from 'node:assert/strict';
import { checkAccessible } from './axe.mjs';
import { confirm, onPage, signIn } from './page.mjs';

const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 390, height: 844 };

/** A layout is written beside its preview; a fault has a place; two people are told; the branding shows at once. */
export async function checkLayouts(page, { client, apiKey }, keep) {
  await onPage(page, 'Layouts');
  const branding = page.getByRole('region', { name: 'Branding' });
  await branding.getByLabel('Color of buttons').fill('#00509e');
  await branding.getByRole('button', { name: 'Save branding' }).click();
  await page.getByText('The branding is saved.').waitFor();
  await page.getByRole('button', { name: 'New layout…' }).click();
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Company');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.locator('h1', { hasText: 'Company' }).waitFor();
  const code = page.getByRole('textbox', { name: 'HTML' });
  await code.fill('<h2>{{company}}</h2>\n{{#if a}}{{{body}}}');
  await page.getByText('The layout cannot be rendered.').waitFor();
  await page
    .getByText(/^Line 2/)
    .first()
    .waitFor();
  await code.fill('<h2 style="color:{{branding.color}}">{{company}}</h2>{{{body}}}<p>1 Main Street</p>');
  await page.getByRole('button', { name: 'Add a variable' }).click();
  await page.getByLabel('Variable 1', { exact: true }).fill('company');
  await page.getByLabel('Default of variable 1').fill('Acme & Sons');
  const mail = page.frameLocator('.mail-frame').frameLocator('iframe').locator('body');
  await mail.getByText('Acme & Sons').waitFor();
  await mail.getByText('Hello Ada,').waitFor();
  await page.getByText('Not saved yet; kept in this tab').waitFor();
  await keep('layout');
  // Drafts outlive a reload and a new session; the key does not.
  await page.reload();
  await signIn(page, apiKey);
  await page.getByText('Not saved yet; kept in this tab').waitFor();
  const [{ _id: layoutId }] = (await client.layouts.listLayouts()).filter(({ name }) => name === 'Company');
  await client.layouts.updateLayout({ path: { layoutId }, body: { description: 'By somebody else' } });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Somebody else changed this layout since you began.').waitFor();
  assert.doesNotMatch((await client.layouts.getLayout({ path: { layoutId } })).content, /Main Street/);
  // What was shown is what is replaced: a third change is told again.
  const third = await client.layouts.updateLayout({ path: { layoutId }, body: { description: 'By a third' } });
  const isOf = (method) => (response) => response.request().method() === method && response.url().endsWith(layoutId);
  const [refused, read] = [page.waitForResponse(isOf('PATCH')), page.waitForResponse(isOf('GET'))];
  await page.getByRole('button', { name: 'Overwrite with mine' }).click();
  assert.equal((await refused).status(), 412);
  await (await read).finished();
  await keep('layout-conflict');
  assert.deepEqual(await client.layouts.getLayout({ path: { layoutId } }), third);
  await page.getByRole('button', { name: 'Overwrite with mine' }).click();
  await page.getByText('The layout is saved. Emails use it from now on.').waitFor();
  await page.getByText('Everything is saved').waitFor();
  const stored = await client.layouts.getLayout({ path: { layoutId } });
  assert.match(stored.content, /branding\.color.*Main Street/);
  assert.deepEqual(stored.variables, [
    { name: 'company', type: 'String', required: false, defaultValue: 'Acme & Sons' },
  ]);
  await page.getByRole('button', { name: 'Phone', exact: true }).click();
  await mail.getByText('1 Main Street').waitFor();
  await checkAccessible(page, 'a layout');
  await page.setViewportSize(NARROW);
  await page.emulateMedia({ colorScheme: 'dark' });
  assert.ok((await page.evaluate('document.documentElement.scrollWidth')) <= NARROW.width);
  await keep('layout-narrow');
  await page.setViewportSize(WIDE);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.getByRole('link', { name: '← Layouts' }).click();
  await page.locator('tbody tr', { hasText: 'Company' }).waitFor();
  await keep('layouts');
  await page.getByRole('link', { name: 'Company' }).click();
  await confirm(page, 'Delete…', 'Delete', 'The layout Company is deleted.');
}
