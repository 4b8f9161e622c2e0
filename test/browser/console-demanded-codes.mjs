import assert from 'node:assert/strict';
import { TOTP } from 'otpauth';
import { openBrowser, watch } from './chromium.mjs';
import { checkAccessible } from './console/axe.mjs';
import { openConsole } from './console/page.mjs';

const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 780 };
const PASSWORD = 'lamp river oval 47';

/**
 * Of a Herald with REQUIRE_TOTP=all: the first person comes no further than to the set-up of codes, and keeps them.
 * @param options.herald started without API_KEY, with what it printed
 * @param options.screenshot where to keep pictures, if anywhere; each gets a name before the ending
 * @returns what the console complained about
 */
export async function setUpDemandedCodes({ herald, browser, screenshot }) {
  const link = /http\S+\/console\/invitation#\S+/.exec(herald.welcome)?.[0];
  assert.ok(link, `the start prints no link: ${herald.welcome}`);
  const { context, close } = await openBrowser(browser, WIDE);
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const complaints = watch(page);
  const keep = async (name) => {
    if (screenshot === undefined) return;
    await page.screenshot({ path: screenshot.replace(/(\.\w+)$/, `-demanded-${name}$1`), fullPage: true });
  };
  try {
    await join(page, link);
    await page.getByRole('heading', { name: 'One more step' }).waitFor();
    await checkAccessible(page, 'the demand of codes');
    await keep('1280');
    await openConsole(page, herald, '/keys');
    await page.getByRole('heading', { name: 'One more step' }).waitFor();
    assert.equal(await page.getByRole('navigation', { name: 'Console' }).count(), 0);
    await page.setViewportSize(PHONE);
    await page.emulateMedia({ colorScheme: 'dark' });
    await checkAccessible(page, 'the demand of codes on a phone');
    await keep('390-dark');
    const secret = await setUp(page, keep);
    await page.locator('h1', { hasText: 'API keys' }).waitFor();
    await page.setViewportSize(WIDE);
    await page.emulateMedia({ colorScheme: 'light' });
    await openConsole(page, herald, '/account');
    await page.getByText('This Herald demands them, so they cannot be switched off.').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Switch codes off…' }).count(), 0);
    await keep('account-1280');
    assert.ok(secret.length > 20);
    return complaints.filter((text) => !/status of 40[0134]/.test(text));
  } catch (error) {
    await keep('failed');
    throw error;
  } finally {
    await close();
  }
}

async function join(page, link) {
  await page.goto(link);
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByLabel('Your name').fill('Ada Lovelace');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Join' }).click();
}

async function setUp(page, keep) {
  await page.getByRole('button', { name: 'Set up an authenticator app…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Your password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  const secret = await dialog.locator('.secret code').innerText();
  await keep('secret-390-dark');
  await dialog.getByLabel('Code', { exact: true }).fill(new TOTP({ secret }).generate());
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await dialog.getByLabel('Recovery codes').waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  return secret;
}
