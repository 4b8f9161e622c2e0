import assert from 'node:assert/strict';
import { openBrowser, watch } from './chromium.mjs';
import { setUpAdmin, startReceiver } from './console/admin-scenes.mjs';
import {
  checkIntegrations,
  checkKeys,
  checkMissingScope,
  checkSchedules,
  checkSubscribers,
  checkWebhooks,
} from './console/admin-pages.mjs';
import { checkBudgets } from './console/budget-pages.mjs';
import { checkCatcher } from './console/catcher-pages.mjs';
import { checkNothingLeft } from './console/hostile.mjs';
import { follow, openConsole, showStepsAsList, signIn } from './console/page.mjs';
import { checkSuppressions } from './console/suppression-pages.mjs';
import { checkGroups, checkImport, checkTenants, checkTopics } from './console/set-up-pages.mjs';
import { checkTranslations } from './console/translation-pages.mjs';
import {
  checkDryRun,
  checkRun,
  checkHostileNames,
  checkPreview,
  checkTestSend,
  checkWorkflow,
} from './console/workflow-pages.mjs';

const NARROW = { width: 320, height: 640 };
const NARROW_PAGES = [
  'Workflows',
  'Translations',
  'Feeds and groups',
  'Subscribers',
  'Integrations',
  'Webhooks',
  'API keys',
];
const WIDE = { width: 1360, height: 900 };

/**
 * Uses the pages of workflows and administration as a team does that sets Herald up.
 * @param options.herald a Herald whose providers are those of `startProviders`, and that gives up webhooks quickly
 * @param options.providers as `startProviders` returns them
 * @param options.browser path of a Chromium
 * @param options.screenshot where to keep pictures, if anywhere; each gets a name before the ending
 * @returns what the console of the browser complained about, apart from what the mail tried
 * @throws at the first thing that the page does not show
 */
export async function useTheSetUp({ herald, providers, browser, screenshot }) {
  const receiver = await startReceiver();
  const scenes = await setUpAdmin(herald, receiver);
  const { context, close } = await openBrowser(browser, WIDE);
  let pictures = 0;
  const page = await context.newPage();
  await showStepsAsList(page);
  page.setDefaultTimeout(15_000);
  const requests = new Set();
  page.on('request', (request) => requests.add(request));
  // Chromium reports what the policy stopped before it was sent.
  page.on('requestfailed', (request) => request.failure()?.errorText === 'csp' && requests.delete(request));
  const keep = async (name) => {
    if (screenshot === undefined) return;
    const path = screenshot.replace(/(\.\w+)$/, `-set-up-${++pictures}-${name}$1`);
    await page.screenshot({ path, fullPage: true });
  };
  const complaints = watch(page);
  try {
    await openConsole(page, herald);
    await signIn(page, herald.apiKey);
    await checkWorkflow(page, herald, keep);
    await checkPreview(page, keep);
    await checkTestSend(page, providers, keep);
    await checkDryRun(page, scenes, keep);
    await checkRun(page, keep);
    await checkHostileNames(page, keep);
    await checkTranslations(page, herald, keep);
    await checkSubscribers(page, scenes, keep);
    await checkSuppressions(page, scenes, keep);
    await checkBudgets(page, scenes, keep);
    await checkSchedules(page, scenes, keep);
    await checkTopics(page, scenes, keep);
    await checkTenants(page, scenes, keep);
    await checkGroups(page, keep);
    await checkIntegrations(page, keep);
    await checkWebhooks(page, scenes, receiver, keep);
    await checkImport(page, scenes, keep);
    await checkCatcher(page, herald, keep);
    await checkKeys(page, herald, keep);
    await checkNarrow(page, keep);
    await checkMissingScope(page, herald, keep);
    const elsewhere = Array.from(requests, (request) => request.url()).filter(
      (url) => !url.startsWith(herald.url) && !/^(?:data|about|blob):/.test(url),
    );
    assert.deepEqual(elsewhere, [], 'something was loaded from elsewhere');
    checkNothingLeft(await close());
    return complaints.filter((text) => !isFromTheMail(text));
  } catch (error) {
    await keep('failed');
    throw error;
  } finally {
    await close();
    await receiver.close();
  }
}

/** What the policy and the sandbox refuse to the hostile mail, the answers to keys that lack a scope, and that a group is in use. */
function isFromTheMail(text) {
  return /about:srcdoc|(?:tracker|phish|pressed)\.example|allow-scripts|console\/x'|status of 40[039]/.test(text);
}

async function checkNarrow(page, keep) {
  await page.setViewportSize(NARROW);
  await page.emulateMedia({ colorScheme: 'dark' });
  for (const name of NARROW_PAGES) {
    await page.getByRole('button', { name: 'Menu' }).click();
    await follow(page, name);
    await page.locator('.table').first().waitFor();
    const width = await page.evaluate('document.documentElement.scrollWidth');
    assert.ok(width <= NARROW.width, `${name} has to be scrolled sideways: ${width} px`);
    await keep(`narrow-${name.toLowerCase().replaceAll(' ', '-')}`);
  }
  await page.setViewportSize(WIDE);
  await page.emulateMedia({ colorScheme: 'light' });
}
