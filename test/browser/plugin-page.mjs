import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { openBrowser, watch } from './chromium.mjs';
import { checkAccessible } from './console/axe.mjs';
import { onPage, openConsole, signIn } from './console/page.mjs';

/** The example that has a page. @returns its folder, compiled */
export function buildPluginWithPage() {
  const folder = resolve('examples/plugin-duty');
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', folder, '--noCheck'], { encoding: 'utf8' });
  assert.equal(status, 0, stdout);
  return folder;
}

/**
 * Uses the page of a plugin: it shows records, changes one, and holds nothing of the session.
 * @param options.herald one with the plugin
 * @param options.screenshot where to keep pictures, if anywhere; each gets a name before the ending
 * @returns what the console complained about
 */
export async function useThePluginPage({ herald, browser, screenshot }) {
  const { context, close } = await openBrowser(browser, { width: 1280, height: 800 });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const complaints = watch(page);
  try {
    await openConsole(page, herald);
    await signIn(page, herald.apiKey);
    await onPage(page, 'Duties');
    assert.equal(new URL(page.url()).pathname, '/console/plugins/herald-plugin-example-duty/duties');
    const frame = page.frameLocator('iframe[title="Duties"]');
    await frame.getByLabel('Team').fill('payments');
    // A name is no HTML.
    await frame.getByLabel('Subscriber').fill('<b>ada</b>');
    await frame.getByRole('button', { name: 'Save' }).click();
    await frame.getByText('Saved.').waitFor();
    await frame.getByRole('cell', { name: '<b>ada</b>' }).waitFor();
    if (screenshot !== undefined) await page.screenshot({ path: screenshot.replace(/(\.\w+)$/, '-plugin$1') });
    await checkAccessible(page, 'the page of a plugin');
    const inside = page.frames().find((one) => one.url().includes('/plugin-frames/'));
    assert.equal(await inside.evaluate(() => globalThis.origin), 'null');
    const other = await inside.evaluate(() => globalThis.herald.call('GET', '/v1/duties/../subscribers'));
    assert.equal(other.status, 403);
    const direct = await inside.evaluate(
      (url) => fetch(url).then(String, (error) => error.name),
      `${herald.url}/v1/duties`,
    );
    assert.equal(direct, 'TypeError', 'the page reached Herald by itself');
    const { body } = await inside.evaluate(() => globalThis.herald.call('GET', '/v1/duties'));
    assert.equal(body.data.length, 1);
    // What the policy stopped just now.
    return complaints.filter((text) => !text.includes('/v1/duties') && !text.includes('Content Security Policy'));
  } finally {
    await close();
  }
}
