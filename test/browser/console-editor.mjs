/* global window -- functions that run in pages */
import assert from 'node:assert/strict';
import { openBrowser, watch } from './chromium.mjs';
import { checkAccessible } from './console/axe.mjs';
import {
  buildWorkflow,
  checkConflict,
  checkKeyboard,
  checkPreviews,
  checkReload,
  checkRequest,
  checkSendingTimes,
  checkVersions,
  checkWaiting,
  manageWorkflow,
} from './console/editor-pages.mjs';
import { checkConnecting } from './console/connect-pages.mjs';
import { checkMailBlocks } from './console/mail-block-pages.mjs';
import { checkLayouts } from './console/layout-pages.mjs';
import { checkPeople } from './console/people-pages.mjs';
import { openConsole, showStepsAsList, signIn } from './console/page.mjs';
import { checkStepForms } from './console/step-forms.mjs';

const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 390, height: 844 };

/**
 * Makes and changes a workflow in the console as somebody does who does not program.
 * @param options.herald a Herald whose providers are those of `startProviders`
 * @param options.providers as `startProviders` returns them
 * @param options.browser path of a Chromium
 * @param options.screenshot where to keep pictures, if anywhere; each gets a name before the ending
 * @returns what the console of the browser complained about
 * @throws at the first thing that the page does not show
 */
export async function useTheEditor({ herald, providers, browser, screenshot }) {
  await setUp(herald);
  const { context, close } = await openBrowser(browser, WIDE);
  const page = await context.newPage();
  await showStepsAsList(page);
  page.setDefaultTimeout(15_000);
  let pictures = 0;
  const keep = async (name, shown = page) => {
    if (screenshot === undefined) return;
    const path = screenshot.replace(/(\.\w+)$/, `-editor-${++pictures}-${name}$1`);
    await shown.screenshot({ path, fullPage: true });
  };
  const complaints = watch(page);
  await page.addInitScript(tellRefusedStyles);
  try {
    await openConsole(page, herald);
    await signIn(page, herald.apiKey);
    await buildWorkflow(page, keep);
    await checkAccessible(page, 'the editor');
    await checkPreviews(page, herald, providers, keep);
    await checkKeyboard(page);
    await checkReload(page, herald, keep);
    await checkConflict(page, herald, keep);
    await checkVersions(page, herald, keep);
    await checkSendingTimes(page, herald, keep);
    await page.locator('.page-above').getByRole('link').click();
    await checkSizes(page, keep);
    await manageWorkflow(page, herald, keep);
    await checkStepForms(page, herald, keep);
    await checkWaiting(page, herald, keep);
    await checkRequest(page, herald, keep);
    await checkMailBlocks(page, herald, context, keep);
    await checkConnecting(page, herald, keep);
    await checkPeople(page, herald, keep);
    await checkLayouts(page, herald, keep);
    // Of refused styles, those outside the lines that are typed in are complained of by `tellRefusedStyles`.
    return complaints.filter((text) => !/status of 4(?:12|00)|^Applying inline style violates/.test(text));
  } catch (error) {
    await keep('failed');
    throw error;
  } finally {
    await close();
  }
}

/**
 * When somebody types, Chromium itself keeps the look of a piece of an editable line in a `style`, which the policy refuses and the
 * editor, which writes each line anew, does not miss. A refused style anywhere else is a fault of the page.
 */
function tellRefusedStyles() {
  window.addEventListener('securitypolicyviolation', (event) => {
    const [place] = event.composedPath();
    if (!event.violatedDirective.startsWith('style-src')) return;
    if (event.sourceFile || !(place instanceof window.Element) || place.closest('.cm-line, .rich-text') === null) {
      console.error(`refused style: ${event.sourceFile} ${place.outerHTML}`);
    }
  });
}

async function setUp({ client }) {
  const { integrations, subscribers } = client;
  const credentials = { from: 'shop@herald.example', senderName: 'The shop', apiKey: 'k-secret-9' };
  const body = { providerId: 'postmark', channel: 'email', name: 'Mail', credentials, active: true, check: false };
  await integrations.createIntegration({ body });
  await subscribers.createSubscriber({ body: { subscriberId: 'pia', firstName: 'Pia', email: 'pia@example.com' } });
}

async function checkSizes(page, keep) {
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await page.getByRole('button', { name: '2. Report' }).click();
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    for (const [name, size] of [
      ['wide', WIDE],
      ['narrow', NARROW],
    ]) {
      await page.setViewportSize(size);
      await page.locator('.live-preview iframe, .frame-phone').first().waitFor();
      const width = await page.evaluate('document.documentElement.scrollWidth');
      assert.ok(width <= size.width, `the editor has to be scrolled sideways: ${width} px at ${size.width}`);
      await checkAccessible(page, `the editor, ${name}, ${colorScheme}`);
      await keep(`${name}-${colorScheme}`);
    }
  }
  await page.setViewportSize(WIDE);
  await page.emulateMedia({ colorScheme: 'light' });
}
