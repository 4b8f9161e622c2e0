import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Uses Swagger UI as a newcomer does: authorizes with the key, creates a subscriber from the page, sees the 201.
 * @param options.url of a running Herald
 * @param options.browser path of a Chromium
 * @param options.screenshot where to keep a picture of the end, if anywhere
 * @returns what the page showed
 */
export async function createSubscriberFromThePage({ url, apiKey, browser, screenshot }) {
  const profile = mkdtempSync(join(tmpdir(), 'herald-browser-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: browser,
    args: FLAGS,
    viewport: { width: 1280, height: 1600 },
  });
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    const complaints = watch(page);
    await page.goto(`${url}/api`);
    await page.locator('.opblock').first().waitFor();

    await authorize(page, apiKey);
    const subscriberId = `from-the-page-${randomUUID().slice(0, 8)}`;
    const shown = await execute(page, 'createSubscriber', JSON.stringify({ subscriberId, firstName: 'Ada' }));
    await page.locator('.responses-wrapper .live-responses-table').first().scrollIntoViewIfNeeded();
    if (screenshot !== undefined) await page.screenshot({ path: screenshot });
    return { ...shown, subscriberId, title: await page.title(), complaints };
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  }
}

/** What the browser says in its console: a policy that blocks parts of the page, a script that fails. */
function watch(page) {
  const complaints = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  return complaints;
}

async function authorize(page, apiKey) {
  await page.locator('.btn.authorize').first().click();
  const dialog = page.locator('.dialog-ux');
  await dialog.locator('input').first().fill(`ApiKey ${apiKey}`);
  await dialog.getByRole('button', { name: 'Apply credentials' }).click();
  await dialog.locator('.btn-done').click();
}

async function execute(page, operationId, body) {
  const operation = page.locator(`[id$="-${operationId}"].opblock`);
  await operation.locator('.opblock-summary-control').click();
  await operation.locator('textarea.body-param__text').fill(body);
  await operation.locator('.btn.execute').click();
  const answer = operation.locator('.live-responses-table .response').first();
  const status = await answer.locator('.response-col_status').innerText();
  const text = await answer.locator('.highlight-code, pre').first().innerText();
  return { status: Number.parseInt(status, 10), text };
}
