import assert from 'node:assert/strict';
import { TOTP } from 'otpauth';
import { openBrowser, watch } from './chromium.mjs';
import { checkAlerts } from './console/alert-pages.mjs';
import { checkAuditLog } from './console/audit-pages.mjs';
import { checkAccessible } from './console/axe.mjs';
import { checkPromotion } from './console/promote-pages.mjs';
import { checkQuestions } from './console/question-pages.mjs';
import { walkAsViewer } from './console/viewer-pages.mjs';
import { checkFocusIsKept, onPage, openConsole, signIn } from './console/page.mjs';

const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 780 };
const PASSWORD = 'lamp river oval 47';
const NEW_PASSWORD = 'bridge maple quiet 12';

/**
 * The first person signs in by the link that the start printed, invites another one, and both use their accounts.
 * @param options.herald started without API_KEY, with what it printed
 * @param options.screenshot where to keep pictures, if anywhere; each gets a name before the ending
 * @returns what the consoles of the browsers complained about
 * @throws at the first thing that is not as it should be
 */
export async function signInAsPeople({ herald, browser, screenshot }) {
  const link = /http\S+\/console\/invitation#\S+/.exec(herald.welcome)?.[0];
  const key = /^ {2}API key +(\S+)/m.exec(herald.welcome)?.[1];
  assert.ok(link && key, `the start prints no link: ${herald.welcome}`);
  const own = await openBrowser(browser, WIDE);
  const other = await openBrowser(browser, PHONE);
  const ada = await own.context.newPage();
  const grace = await other.context.newPage();
  await grace.emulateMedia({ colorScheme: 'dark' });
  for (const page of [ada, grace]) page.setDefaultTimeout(15_000);
  const complaints = [watch(ada), watch(grace)];
  const keep = keeper(screenshot);
  try {
    await joinAsFirst(ada, herald, link, keep);
    await staySignedIn(ada, own.context, herald);
    await sendSample(ada, keep);
    await searchForIt(ada, keep);
    await switchEnvironment(ada);
    await checkPromotion(ada, herald, key, keep);
    await onPage(ada, 'People');
    const invitation = await inviteGrace(ada, keep);
    await joinAsGrace(grace, invitation, keep);
    await walkAsViewer(grace, herald, key, keep);
    await changeRole(ada, grace, keep);
    await endSessions(ada, grace, herald, keep);
    await checkQuestions(ada, herald, key, keep);
    await checkAuditLog(ada, herald, key, keep);
    await checkAlerts(ada, herald, key, keep);
    await useAccount(ada, keep);
    await useCodes(ada, herald, keep);
    await signOut(ada, key, keep);
    // What was refused on purpose.
    return complaints.flat().filter((text) => !/status of 40[01349]/.test(text));
  } catch (error) {
    await keep(ada, 'failed-1280');
    await keep(grace, 'failed-390');
    throw error;
  } finally {
    await own.close();
    await other.close();
  }
}

function keeper(screenshot) {
  let pictures = 0;
  return async (page, name) => {
    if (screenshot === undefined) return;
    const path = screenshot.replace(/(\.\w+)$/, `-people-${++pictures}-${name}$1`);
    await page.screenshot({ path, fullPage: true });
  };
}

const shell = (page) => page.locator('#main h1').waitFor();

async function joinAsFirst(page, herald, link, keep) {
  await openConsole(page, herald);
  // Nobody has an account: the console asks for a key, as it always did.
  await page.getByLabel('API key').waitFor();
  await page.goto(link);
  await page.reload();
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByLabel('Your name').fill('Ada Lovelace');
  await page.getByLabel('New password').fill('short');
  await page.getByRole('button', { name: 'Join' }).click();
  await page.getByRole('alert').filter({ hasText: 'fewer than 12 characters' }).waitFor();
  await checkAccessible(page, 'the page of an invitation');
  await keep(page, 'join-1280');
  await page.getByLabel('New password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Join' }).click();
  await shell(page);
  assert.equal(new URL(page.url()).hash, '', 'the token stays in the address');
  await page.goto(link);
  await page.reload();
  await page.getByRole('alert').filter({ hasText: 'was used or withdrawn' }).waitFor();
  await openConsole(page, herald);
  await shell(page);
}

/** Somebody who has never seen Herald sees a message and its trail, without the API. */
async function sendSample(page, keep) {
  await page.getByText('No notifications yet').waitFor();
  await keep(page, 'empty-1280');
  await page.getByRole('button', { name: 'Send a sample to myself' }).click();
  await page.waitForURL(/\/notifications\/[0-9a-f]{24}$/);
  await page.locator('.step-list').waitFor();
  await page.getByText('Hello Ada Lovelace, welcome to Herald.').first().waitFor();
  await keep(page, 'sample-1280');
}

/** By keyboard: a person, a workflow, and nothing. */
async function searchForIt(page, keep) {
  await page.locator('h1').click();
  await page.keyboard.press('/');
  await page.keyboard.type('ada@example.com');
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Subscribers' }).getByRole('link', { name: 'ada@example.com' }).waitFor();
  const search = page.getByRole('combobox', { name: 'Find anything' });
  await search.fill('welcome');
  await search.press('Enter');
  await page.getByRole('region', { name: 'Workflows' }).getByRole('link', { name: 'Sample: welcome' }).waitFor();
  await checkAccessible(page, 'the results of a search');
  await keep(page, 'search-1280');
  await search.fill('nobody/like<this>');
  await search.press('Enter');
  await page.getByText('Nothing is found for “nobody/like<this>”').waitFor();
  // As one types: a page, by keyboard, and a workflow.
  await page.keyboard.press('Control+k');
  await page.keyboard.type('api k');
  await page.getByRole('option', { name: 'API keys' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.locator('h1', { hasText: 'API keys' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('welcome');
  await page.getByRole('option', { name: 'Sample: welcome' }).click();
  await page.locator('h1', { hasText: 'Sample: welcome' }).waitFor();
  await openConsole(page, { url: new URL(page.url()).origin });
  await shell(page);
}

async function staySignedIn(page, context, herald) {
  await page.reload();
  await shell(page);
  const tab = await context.newPage();
  await openConsole(tab, herald, '/people');
  await tab.getByRole('rowheader', { name: 'Ada Lovelace' }).waitFor();
  await tab.close();
}

async function switchEnvironment(page) {
  const environment = page.getByLabel('Environment', { exact: true });
  const former = await environment.getAttribute('title');
  await environment.selectOption({ label: 'Production' });
  // All is drawn again then; a click before would be lost.
  await page.locator(`select[title]:not([title="${former}"])`).waitFor();
  await onPage(page, 'People');
  await page.getByText('sign in to the Production environment').waitFor();
  await page.reload();
  await page.getByText('sign in to the Production environment').waitFor();
  await environment.selectOption({ label: 'Development' });
  await page.getByText('sign in to the Development environment').waitFor();
}

async function inviteGrace(page, keep) {
  await page.getByRole('button', { name: 'Invite…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Email').fill('grace@example.com');
  await dialog.getByLabel('Role').selectOption('viewer');
  await checkAccessible(page, 'the dialog of an invitation');
  await keep(page, 'invite-1280');
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
  const link = await dialog.locator('.secret code').innerText();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('rowheader', { name: 'grace@example.com' }).waitFor();
  await checkAccessible(page, 'People');
  await keep(page, 'people-1280');
  return link;
}

async function joinAsGrace(page, link, keep) {
  await page.goto(link);
  assert.equal(await page.getByLabel('Email').inputValue(), 'grace@example.com');
  await page.getByLabel('Your name').fill('Grace Hopper');
  await page.getByLabel('New password').fill(PASSWORD);
  await keep(page, 'join-390-dark');
  // By keyboard alone.
  await page.keyboard.press('Enter');
  await shell(page);
  await page.getByRole('button', { name: 'Menu' }).click();
  await onPage(page, 'API keys');
  await page.getByText('Your role in this environment is viewer').waitFor();
  await keep(page, 'viewer-390-dark');
}

async function changeRole(ada, grace, keep) {
  await ada.reload();
  await ada.getByRole('button', { name: 'Role… of Grace Hopper' }).click();
  await ada.getByRole('dialog').getByLabel('Role in Development').selectOption('owner');
  await ada.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await ada.getByText('Grace Hopper is owner now.').waitFor();
  await grace.reload();
  await grace.getByRole('button', { name: 'Menu' }).click();
  await onPage(grace, 'People');
  await grace.getByRole('rowheader', { name: 'Ada Lovelace' }).waitFor();
  const width = await grace.evaluate('document.documentElement.scrollWidth');
  assert.ok(width <= PHONE.width, `People has to be scrolled sideways: ${width} px`);
  await checkAccessible(grace, 'People on a phone');
  await keep(grace, 'people-390-dark');
}

async function endSessions(ada, grace, herald, keep) {
  await ada.getByRole('button', { name: 'Sign-in… of Grace Hopper' }).click();
  const dialog = ada.getByRole('dialog');
  await dialog.getByText('has 1 open session').waitFor();
  await dialog.getByLabel('End all of them now').check();
  await dialog.getByRole('button', { name: 'Make a link' }).click();
  const link = await dialog.locator('.secret code').innerText();
  await keep(ada, 'recovery-1280');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await checkFocusIsKept(ada.context(), herald, '/activity', '#main input[type=text]');
  await checkFocusIsKept(grace.context(), herald, '', '#password');
  await openConsole(grace, herald);
  await grace.getByLabel('Email').fill('grace@example.com');
  await grace.getByLabel('Password').fill('not the password');
  await grace.getByRole('button', { name: 'Sign in' }).click();
  await grace.getByRole('alert').filter({ hasText: 'The email or the password is wrong.' }).waitFor();
  await keep(grace, 'wrong-password-390-dark');
  await grace.goto(link);
  await grace.getByRole('heading', { name: 'Choose a new password' }).waitFor();
  await grace.getByLabel('New password').fill(NEW_PASSWORD);
  await grace.getByRole('button', { name: 'Set the password' }).click();
  await shell(grace);
}

async function useAccount(page, keep) {
  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Ada Lovelace' }).click();
  await page.getByRole('rowheader', { name: 'Chrome on Linux' }).first().waitFor();
  await page.getByRole('button', { name: 'Change your password…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Current password').fill(PASSWORD);
  await dialog.getByLabel('New password').fill(NEW_PASSWORD);
  await dialog.getByRole('button', { name: 'Change' }).click();
  await page.getByText('Your password was changed').waitFor();
  await page.getByRole('button', { name: 'Change your name…' }).click();
  await dialog.getByLabel('Name').fill('Ada King');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Ada King' }).waitFor();
  await checkAccessible(page, 'Your account');
  await keep(page, 'account-1280');
  await page.setViewportSize(PHONE);
  await page.emulateMedia({ colorScheme: 'dark' });
  await checkAccessible(page, 'Your account on a phone');
  await keep(page, 'account-390-dark');
  await page.setViewportSize(WIDE);
  await page.emulateMedia({ colorScheme: 'light' });
}

async function useCodes(page, herald, keep) {
  await page.getByRole('button', { name: 'Switch codes on…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Your password').fill(NEW_PASSWORD);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  const secret = await dialog.locator('.secret code').innerText();
  await dialog.getByRole('img', { name: 'QR code of the secret' }).waitFor();
  await checkAccessible(page, 'the secret of codes');
  await keep(page, 'codes-1280');
  await dialog.getByLabel('Code', { exact: true }).fill(new TOTP({ secret }).generate());
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  const codes = (await dialog.getByLabel('Recovery codes').innerText()).trim().split('\n');
  assert.equal(codes.length, 10);
  await keep(page, 'recovery-codes-1280');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByText('On. Whoever signs in as you').waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByLabel('Password').fill(NEW_PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByLabel('Code').fill('000000');
  await page.setViewportSize(PHONE);
  await page.keyboard.press('Enter');
  await page.getByRole('alert').filter({ hasText: 'The code is wrong' }).waitFor();
  await checkAccessible(page, 'the code of a sign-in');
  await keep(page, 'code-390');
  await page.setViewportSize(WIDE);
  await page.getByLabel('Code').fill(codes[0].toLowerCase());
  await page.keyboard.press('Enter');
  await shell(page);
  await openConsole(page, herald, '/account');
  await page.getByRole('button', { name: 'Switch codes off…' }).click();
  await dialog.getByLabel('Your password').fill(NEW_PASSWORD);
  await dialog.getByLabel('Code', { exact: true }).fill(codes[1]);
  await dialog.getByRole('button', { name: 'Switch off' }).click();
  await page.getByText('Codes are off.').waitFor();
}

async function signOut(page, key, keep) {
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Email').waitFor();
  await checkAccessible(page, 'the sign-in page');
  await keep(page, 'sign-in-1280');
  await page.reload();
  await page.getByLabel('Email').waitFor();
  await page.getByRole('button', { name: 'Use an API key' }).click();
  await signIn(page, key);
}
