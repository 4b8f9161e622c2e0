import assert from 'node:assert/strict';
import { find } from './page.mjs';
import { HOSTILE } from './scenes.mjs';

/** The key is in no address, page or storage of the browser. */
export async function checkKeyIsNowhere(page, context, { apiKey }) {
  const kept = await page.evaluate(
    'JSON.stringify([location.href, document.documentElement.outerHTML, { ...localStorage }, { ...sessionStorage }, history.state])',
  );
  assert.ok(!kept.includes(apiKey), 'the key is in the page or its storage');
  assert.deepEqual(await context.cookies(), []);
}

/** Names, payloads and a mail with scripts run nothing, and the mail is shown with its styles. */
export async function checkHostileContent(page, keep) {
  const text = await find(page, 'hostile');
  assert.ok(text.includes(HOSTILE), 'the name is not shown as it is');
  await page.getByText('Event payload').click();
  const mail = page.frameLocator('.mail-frame').frameLocator('iframe').locator('#mail-text');
  await mail.waitFor();
  const style = await mail.evaluate((element) => {
    const { fontWeight, color } = element.ownerDocument.defaultView.getComputedStyle(element);
    return { fontWeight, color };
  });
  assert.deepEqual(style, { fontWeight: '700', color: 'rgb(1, 2, 3)' });
  await keep('hostile');
  await page.frameLocator('.mail-frame').frameLocator('iframe').locator('#leave').click();
  await page.waitForTimeout(300);
  assert.equal(await page.evaluate('window.broken'), undefined);
  assert.match(page.url(), /\/console\/notifications\//);
  const between = await page.locator('.mail-frame').getAttribute('sandbox');
  const inner = await page.frameLocator('.mail-frame').locator('iframe').getAttribute('sandbox');
  assert.deepEqual([between, inner], ['allow-same-origin', '']);
}

/**
 * Nothing was asked of the hosts that mails name, not even where they are. (The requests that a page reports are no measure:
 * sometimes Chromium lists one that the policy has stopped.) It may connect to the host of the link that the test presses.
 * @param hosts what `close` of `openBrowser` returns
 */
export function checkNothingLeft(hosts) {
  assert.ok(
    hosts.some((host) => host.includes('127.0.0.1')),
    'the log of the browser lacks Herald itself',
  );
  assert.deepEqual(
    hosts.filter((host) => host.includes('.example') && !host.includes('pressed.example')),
    [],
    'a mail made the browser look for another host',
  );
}
