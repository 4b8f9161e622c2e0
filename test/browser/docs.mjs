import assert from 'node:assert/strict';
import { openBrowser, watch } from './chromium.mjs';

/** Reads the documentation at /docs as a newcomer does: by search with the keyboard, by navigation, on a phone, in the dark. */
export async function readTheDocs({ url, browser, screenshot }) {
  const { context, close } = await openBrowser(browser, { width: 1280, height: 900 });
  let pictures = 0;
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    const keep = async () => {
      if (screenshot !== undefined)
        await page.screenshot({ path: screenshot.replace(/(\.\w+)$/, `-docs-${++pictures}$1`) });
    };
    const complaints = watch(page);
    const elsewhere = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(url)) elsewhere.push(request.url());
    });
    await page.goto(`${url}/docs`);
    await keep();
    await findByKeyboard(page);
    await keep();
    await useThePage(page, url);
    for (const path of ['concepts', 'workflow-reference']) {
      await page.goto(`${url}/docs/manual/${path}`);
      await keep();
    }
    await page.goto(`${url}/docs/reference/topics`);
    await page.getByText(`'${url}/v1/topics'`).first().waitFor();
    await page.locator('.vp-code-group label', { hasText: 'Python' }).first().click();
    await page.getByText('herald.request("GET", "/v1/topics")').waitFor();
    await keep();
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto(`${url}/docs/manual/concepts`);
    assert.notEqual(
      await page.evaluate('getComputedStyle(document.documentElement).backgroundColor'),
      'rgb(255, 255, 255)',
    );
    await keep();
    await page.goto(`${url}/docs/manual/tutorial#2-call-the-api`);
    await keep();
    await page.setViewportSize({ width: 320, height: 700 });
    for (const path of [
      '',
      'manual/workflow-reference',
      'settings',
      'manual/concepts',
      'errors',
      'providers/twilio',
      'reference/users',
    ]) {
      await page.goto(`${url}/docs/${path}`);
      const width = await page.evaluate('document.documentElement.scrollWidth');
      assert.ok(width <= 320, `/docs/${path} has to be scrolled sideways on a phone: ${width} px`);
      await keep();
    }
    assert.deepEqual({ complaints, elsewhere }, { complaints: [], elsewhere: [] });
  } finally {
    await close();
  }
}

async function findByKeyboard(page) {
  await page.locator('#app .VPContent').waitFor();
  await page.keyboard.press('Control+k');
  const results = page.locator('#localsearch-list [role=option] a');
  await page.locator('#localsearch-input').fill('quiet hours');
  await results.first().waitFor();
  assert.match(await results.first().getAttribute('href'), /manual\/preferences/);
  await page.keyboard.press('Escape');
  await page.locator('#localsearch-input').waitFor({ state: 'hidden' });
  await page.keyboard.press('/');
  await page.locator('#localsearch-input').fill('digest');
  await results.first().waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/docs\/.+/);
  await page.locator('main h1').waitFor();
}

/** By the buttons of the page, without loading it again. */
async function useThePage(page, url) {
  await page.goto(`${url}/docs/manual/tutorial`);
  await page.locator('a.pager-link.next').click();
  await page.waitForURL(/\/docs\/manual\/concepts$/);
  await page.locator('.breadcrumb >> text=Concepts').waitFor();
  await page.locator('.VPNavBarAppearance button').click();
  await page.locator('html.dark').waitFor();
  await page.locator('.VPNavBarAppearance button').click();
  await page.locator('html:not(.dark)').waitFor();
  await page.goto(`${url}/docs/manual/tutorial`);
  const block = page.locator('div[class*=language-]').first();
  await block.hover();
  await block.locator('button.copy').click();
  await page.locator('button.copy.copied').waitFor();
}
