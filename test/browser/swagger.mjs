import { randomUUID } from 'node:crypto';
import { openBrowser, watch } from './chromium.mjs';

/**
 * Uses Swagger UI as a newcomer does: authorizes with the key, creates a subscriber, then sends the examples of the
 * workflow and of the trigger as they stand, and reads the feed until the message is there.
 * @param options.url of a running Herald
 * @param options.browser path of a Chromium
 * @param options.screenshot where to keep pictures, if anywhere; further ones get a number before the ending
 * @returns what the page showed
 */
export async function useThePage({ url, apiKey, browser, screenshot }) {
  const { context, close } = await openBrowser(browser, { width: 1280, height: 1600 });
  let pictures = 0;
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    const keep = async () => {
      if (screenshot !== undefined) await page.screenshot({ path: screenshot.replace(/(\.\w+)$/, `-${++pictures}$1`) });
    };
    const complaints = watch(page);
    await page.goto(`${url}/api`);
    await page.locator('.opblock-tag').first().waitFor();
    const tags = await page.locator('.opblock-tag').evaluateAll((found) => found.map(({ dataset }) => dataset.tag));
    const unfolded = await page.locator('.opblock-tag-section .opblock').count();
    await keep();

    await authorize(page, apiKey);
    const subscriberId = `from-the-page-${randomUUID().slice(0, 8)}`;
    const body = JSON.stringify({ subscriberId, firstName: 'Ada' });
    const subscriber = await execute(page, 'Subscribers', 'createSubscriber', body);
    const workflow = await execute(page, 'Workflows', 'createWorkflow');
    await keep();
    const trigger = await execute(page, 'Events', 'triggerEvent');
    await keep();
    const feed = await executeUntil(page, 'Messages_of_a_subscriber', 'getFeed', ({ text }) => text.includes('4711'));
    await keep();
    const list = await execute(page, 'Workflows', 'listWorkflows');
    await page.setViewportSize({ width: 375, height: 800 });
    const narrowWidth = await page.evaluate('document.documentElement.scrollWidth');
    await keep();
    return {
      narrowWidth,
      subscriber,
      subscriberId,
      workflow,
      trigger,
      feed,
      list,
      tags,
      unfolded,
      title: await page.title(),
      complaints,
    };
  } finally {
    await close();
  }
}

async function authorize(page, apiKey) {
  await page.locator('.btn.authorize').first().click();
  const dialog = page.locator('.dialog-ux');
  // The other scheme is for routes of subscribers.
  const form = dialog.locator('form').filter({ hasText: 'ApiKey (apiKey)' });
  await form.locator('input').fill(`ApiKey ${apiKey}`);
  await form.getByRole('button', { name: 'Apply credentials' }).click();
  await form.locator('.btn-done').click();
}

/** Opens an operation below its tag and sends it; without a body with the example as it stands. */
async function execute(page, tag, operationId, body) {
  const operation = page.locator(`[id$="-${operationId}"].opblock`);
  if ((await operation.count()) === 0) await page.locator(`#operations-tag-${tag}`).click();
  await operation.waitFor();
  if (!(await operation.evaluate((element) => element.classList.contains('is-open')))) {
    await operation.locator('.opblock-summary-control').click();
  }
  if (body !== undefined) await operation.locator('textarea.body-param__text').fill(body);
  return send(operation);
}

async function send(operation) {
  await operation.locator('.btn.execute').click();
  const answer = operation.locator('.live-responses-table .response').first();
  const status = await answer.locator('.response-col_status').innerText();
  const text = await answer.locator('.highlight-code, pre').first().innerText();
  await operation.locator('.live-responses-table').first().scrollIntoViewIfNeeded();
  return { status: Number.parseInt(status, 10), text };
}

/** Presses Execute again until the answer is as wanted; delivery takes a moment. */
async function executeUntil(page, tag, operationId, isWanted) {
  let shown = await execute(page, tag, operationId);
  const operation = page.locator(`[id$="-${operationId}"].opblock`);
  for (let attempt = 0; attempt < 50 && !isWanted(shown); attempt++) {
    await page.waitForTimeout(200);
    shown = await send(operation);
  }
  return shown;
}
