import assert from 'node:assert/strict';
import { openBrowser, watch } from './chromium.mjs';
import { checkAccessible } from './console/axe.mjs';
import { openConsole } from './console/page.mjs';

const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 780 };

/**
 * Somebody signs in with the provider of their company: not invited yet, by an invitation, and back to the page that they left.
 * @param options.herald one that knows the provider as Keycloak
 * @param options.provider as `startLoginProvider` returns it
 * @param options.screenshot where to keep pictures, if anywhere; each gets a name before the ending
 * @returns what the consoles of the browsers complained about
 * @throws at the first thing that is not as it should be
 */
export async function signInWithProvider({ herald, provider, browser, screenshot }) {
  provider.people.set('grace', { email: 'grace@example.com', email_verified: true, name: 'Grace Hopper' });
  const own = await openBrowser(browser, WIDE);
  const other = await openBrowser(browser, PHONE);
  const grace = await own.context.newPage();
  const phone = await other.context.newPage();
  await phone.emulateMedia({ colorScheme: 'dark' });
  for (const page of [grace, phone]) page.setDefaultTimeout(15_000);
  const complaints = [watch(grace), watch(phone)];
  let pictures = 0;
  const keep = async (page, name) => {
    if (screenshot === undefined) return;
    await page.screenshot({ path: screenshot.replace(/(\.\w+)$/, `-sso-${++pictures}-${name}$1`), fullPage: true });
  };
  try {
    await arriveUninvited(grace, herald, keep);
    await acceptInvitation(grace, herald, keep);
    await comeBackToThePage(grace, herald, keep);
    await refuse(phone, herald, keep);
    return complaints.flat().filter((text) => !/status of 40[01]/.test(text));
  } catch (error) {
    await keep(grace, 'failed-1280');
    await keep(phone, 'failed-390');
    throw error;
  } finally {
    await own.close();
    await other.close();
  }
}

const signInLink = (page) => page.getByRole('link', { name: 'Sign in with Keycloak' });
const shell = (page) => page.locator('#main h1').waitFor();

async function arriveUninvited(page, herald, keep) {
  await openConsole(page, herald, '/workflows');
  await signInLink(page).waitFor();
  await checkAccessible(page, 'the sign-in page with a provider');
  await keep(page, 'sign-in-1280');
  await signInLink(page).click();
  await page.getByLabel('Who are you?').fill('grace');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page
    .getByRole('alert')
    .filter({ hasText: 'Keycloak knows you, but nobody has invited your address' })
    .waitFor();
  assert.equal(page.url(), `${herald.url}/console`, 'the fault stays in the address');
  await checkAccessible(page, 'a sign-in that failed');
  await keep(page, 'not-invited-1280');
}

async function acceptInvitation(page, herald, keep) {
  const response = await fetch(`${herald.url}/v1/users/invitations`, {
    method: 'POST',
    headers: { authorization: `ApiKey ${herald.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'grace@example.com', role: 'editor' }),
  });
  const { data } = await response.json();
  await page.goto(data.url);
  await page.getByText('Sign in as grace@example.com to accept the invitation').waitFor();
  await checkAccessible(page, 'an invitation with a provider');
  await keep(page, 'invitation-1280');
  // The provider knows her already, and asks nothing.
  await signInLink(page).click();
  await shell(page);
  assert.equal(page.url(), `${herald.url}/console`);
  await page.reload();
  await shell(page);
}

/** By one key: the button has the focus. */
async function comeBackToThePage(page, herald, keep) {
  await page.goto(`${herald.url}/console/account`);
  await page.getByText('grace@example.com, by single sign-on').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Change your password…' }).count(), 0);
  assert.equal(await page.getByRole('button', { name: 'Switch codes on…' }).count(), 0);
  await checkAccessible(page, 'the account of somebody with single sign-on');
  await keep(page, 'account-1280');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await signInLink(page).waitFor();
  await page.goto(`${herald.url}/console/subscribers`);
  await page.locator('a.button:focus', { hasText: 'Sign in with Keycloak' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Subscribers' }).waitFor();
  assert.equal(new URL(page.url()).pathname, '/console/subscribers');
}

async function refuse(page, herald, keep) {
  await openConsole(page, herald);
  await signInLink(page).waitFor();
  await keep(page, 'sign-in-390-dark');
  await signInLink(page).click();
  await page.getByRole('button', { name: 'Refuse' }).click();
  await page.getByRole('alert').filter({ hasText: 'You or Keycloak refused the sign-in.' }).waitFor();
  await checkAccessible(page, 'a sign-in that was refused');
  await keep(page, 'refused-390-dark');
  const width = await page.evaluate('document.documentElement.scrollWidth');
  assert.ok(width <= PHONE.width, `the sign-in page has to be scrolled sideways: ${width} px`);
  await page.getByRole('button', { name: 'Use an API key' }).click();
  await page.getByLabel('API key').waitFor();
  await page.getByRole('button', { name: 'Use Keycloak, or email and password' }).click();
  await signInLink(page).waitFor();
}
