import assert from 'node:assert/strict';
import { openBrowser, watch } from './chromium.mjs';
import { checkHostileContent, checkKeyIsNowhere, checkNothingLeft } from './console/hostile.mjs';
import { checkHome } from './console/home-pages.mjs';
import { checkReasons } from './console/reasons.mjs';
import { mendAndReplay, replayMany, cancelOne } from './console/mending.mjs';
import { askWhy } from './console/why.mjs';
import { find, onPage, openConsole, showStepsAsList, signIn } from './console/page.mjs';
import { playScenes } from './console/scenes.mjs';

const NARROW = { width: 320, height: 640 };
const WIDE = { width: 1360, height: 900 };

/**
 * Uses the console as a team does that hears "I did not get it": finds out why, mends what can be mended, and replays it.
 * @param options.herald a Herald whose providers are those of `startProviders`
 * @param options.providers as `startProviders` returns them
 * @param options.browser path of a Chromium
 * @param options.screenshot where to keep pictures, if anywhere; each gets a name before the ending
 * @returns what the console of the browser complained about, apart from what the mail tried
 * @throws at the first thing that the page does not show
 */
export async function useTheConsole({ herald, providers, browser, screenshot }) {
  const scenes = await playScenes(herald, providers);
  const { context, close } = await openBrowser(browser, WIDE);
  let pictures = 0;
  const page = await context.newPage();
  await showStepsAsList(page);
  page.setDefaultTimeout(15_000);
  const keep = async (name) => {
    if (screenshot === undefined) return;
    const path = screenshot.replace(/(\.\w+)$/, `-console-${++pictures}-${name}$1`);
    await page.screenshot({ path, fullPage: true });
  };
  const complaints = watch(page);
  try {
    await checkAnswers(herald);
    await signInByKeyboard(page, herald, keep);
    await checkKeyIsNowhere(page, context, herald);
    await checkReasons(page, keep);
    await askWhy(page, keep);
    await checkLiveRows(page, scenes);
    await mendAndReplay(page, scenes, providers, keep);
    await cancelOne(page, keep);
    await replayMany(page, scenes, providers, keep);
    await checkHealth(page, keep);
    await checkHome(page, keep);
    await checkHostileContent(page, keep);
    await checkNarrowAndDark(page, keep);
    await checkRevokedKey(page, herald, keep);
    checkNothingLeft(await close());
    return complaints.filter((text) => !isFromTheMail(text));
  } catch (error) {
    await keep('failed');
    throw error;
  } finally {
    await close();
  }
}

/** What the policy and the sandbox refuse to the hostile mail, and the answers to keys that are wrong, revoked or lack a scope. */
function isFromTheMail(text) {
  return /about:srcdoc|(?:tracker|phish|pressed)\.example|allow-scripts|status of 40[13]/.test(text);
}

async function checkAnswers({ url }) {
  const deep = await fetch(`${url}/console/notifications/64f0c1a2b3c4d5e6f7a8b9c0`);
  const page = await deep.text();
  assert.equal(deep.status, 200);
  assert.equal(deep.headers.get('cache-control'), 'no-cache');
  const policy = deep.headers.get('content-security-policy');
  for (const part of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"])
    assert.ok(policy.includes(part), `${part} is not in ${policy}`);
  assert.doesNotMatch(policy, /unsafe/);
  const script = /src="(\/console\/assets\/[^"]+\.js)"/.exec(page)[1];
  const asset = await fetch(url + script, { headers: { 'accept-encoding': 'br' } });
  assert.match(asset.headers.get('cache-control'), /max-age=31536000, immutable/);
  assert.equal(asset.headers.get('content-encoding'), 'br');
  assert.equal((await fetch(`${url}/console/assets/none.js`)).status, 404);
}

/** From the first key press to the details of a notification, without a pointer. */
async function signInByKeyboard(page, { url, apiKey }, keep) {
  await page.goto(`${url}/console`);
  await page.locator('input:focus').waitFor();
  await keep('sign-in');
  await page.keyboard.type('wrong-key');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').filter({ hasText: 'Sign in again with a valid key' }).waitFor();
  await page.keyboard.type(apiKey);
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Totals' }).waitFor();
  assert.equal(await focused(page), 'Home');
  await pressUntilOn(page, 'Shift+Tab', 'Activity');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/activity$/);
  await page.locator('tbody').getByRole('link', { name: 'Order shipped' }).first().waitFor();
  assert.equal(await page.evaluate('document.activeElement.tagName'), 'H1');
  await pressUntilOn(page, 'Shift+Tab', 'Skip to content');
  await page.keyboard.press('Enter');
  await pressUntilOn(page, 'Tab', 'Order shipped');
  await page.keyboard.press('Enter');
  await page.locator('.step-list').waitFor();
  assert.equal(await focused(page), 'Order shipped');
}

async function pressUntilOn(page, key, text) {
  for (let presses = 0; (await focused(page)) !== text; presses++) {
    assert.ok(presses < 60, `“${text}” cannot be reached by the keyboard`);
    await page.keyboard.press(key);
  }
}

const focused = (page) => page.evaluate('document.activeElement.textContent.trim()');

/** New rows appear by themselves, but not under the pointer, and not while the list is paused. */
async function checkLiveRows(page, { trigger }) {
  await onPage(page, 'Activity');
  await page.mouse.move(0, 0);
  await page.locator('h1').click();
  await trigger('order-shipped', 'live-1', 'lea');
  await page.locator('tr', { hasText: 'live-1' }).waitFor();
  await page.locator('tbody tr').first().hover();
  await trigger('order-shipped', 'live-2', 'lea');
  const showNew = page.getByRole('button', { name: 'Show 1 new' });
  await showNew.waitFor();
  assert.equal(await page.locator('tr', { hasText: 'live-2' }).count(), 0);
  await showNew.click();
  await page.locator('tr', { hasText: 'live-2' }).waitFor();
  await page.getByRole('button', { name: 'Live · Pause' }).click();
  await page.getByRole('button', { name: 'Paused · Resume' }).click();
}

async function checkHealth(page, keep) {
  await onPage(page, 'Health');
  const charts = page.getByRole('img');
  await charts.first().waitFor();
  const words = await charts.evaluateAll((all) => all.map((chart) => chart.getAttribute('aria-label')));
  assert.ok(
    words.some((text) => /^SMS · twilio: \d+ sent and \d+ failed/.test(text)),
    words.join('\n'),
  );
  await page.getByRole('button', { name: 'Last day' }).click();
  await page.waitForURL(/period=day/);
  await charts.first().waitFor();
  await keep('health');
}

async function checkNarrowAndDark(page, keep) {
  await page.emulateMedia({ colorScheme: 'dark' });
  await onPage(page, 'Activity');
  await keep('dark-activity');
  await find(page, 'outage');
  await keep('dark-notification');
  await page.setViewportSize(NARROW);
  const isWithin = async (name) => {
    const width = await page.evaluate('document.documentElement.scrollWidth');
    assert.ok(width <= NARROW.width, `${name} has to be scrolled sideways: ${width} px`);
    await keep(`narrow-${name}`);
  };
  await isWithin('notification');
  for (const name of ['Activity', 'Refused triggers', 'Replays', 'Health']) {
    await page.getByRole('button', { name: 'Menu' }).click();
    await onPage(page, name);
    await page.locator('.table, .providers').first().waitFor();
    await isWithin(name.toLowerCase());
  }
  await page.setViewportSize(WIDE);
  await page.emulateMedia({ colorScheme: 'light' });
}

/** A key that is revoked while the console is open ends the session, and says so. */
async function checkRevokedKey(page, herald, keep) {
  const { environments } = herald.client;
  const { _id, key } = await environments.issueApiKey({ body: { name: 'console test', scopes: ['read'] } });
  // An address of the activity from the time when it was the first page.
  await openConsole(page, herald, '?status=failed&channel=sms');
  await signIn(page, key);
  await page.waitForURL(/\/activity\?status=failed&channel=sms$/);
  await page.getByRole('button', { name: 'Replay failed…' }).click();
  await page.getByRole('button', { name: 'Start replay' }).click();
  await page.getByRole('dialog').getByText('Sign in with a key that has this scope.').waitFor();
  await page.keyboard.press('Escape');
  await environments.revokeApiKey({ path: { apiKeyId: _id } });
  await page.getByText('Your key was revoked or has expired').waitFor();
  await keep('revoked');
}
