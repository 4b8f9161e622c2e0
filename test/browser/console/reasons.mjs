import assert from 'node:assert/strict';
import { filter, find, onPage } from './page.mjs';

/** What the page of each notification has to say, in its own words and in those of the provider. */
const REASONS = {
  arrives: ['Bounced', 'then reported: bounced', 'postmark reported: opened', '550 5.1.1 no such user'],
  'wrong-number': [
    'Not delivered',
    'The provider rejected the address',
    'is not a valid phone number',
    'Attempt 1 with twilio',
  ],
  outage: [
    'Not delivered',
    'The provider was not available',
    'Service is down for maintenance',
    'Attempt 3 with twilio',
    'after',
  ],
  cut: ['May be delivered', 'The provider may have accepted the message', 'outcome unknown'],
  preference: ['Completed, 1 skipped', 'The subscriber disabled this channel for this workflow'],
  condition: ['Skipped', 'A step condition was not met', 'total is larger than 100', '20', 'Not met'],
  'no-integration': ['Failed', 'No integration to send with', 'Create or activate an integration'],
  'no-channel': ['Skipped', 'The subscriber has no address for this channel', 'Nothing needs repair'],
  'override-channel': ['Skipped', 'A tenant override disables this channel'],
  'dead-address': ['Failed', 'The email address is suppressed', 'ada@example.com has been marked as invalid since'],
  waiting: ['Active', 'Delayed', 'Step delayed', 'for 2 d'],
};

/** Triggers that created no notification, and what the list says instead. */
const REFUSED = {
  inactive: ['Workflow inactive', 'The workflow is not active.'],
  override: ['Disabled for the tenant', "switches the workflow off for the tenant 'acme'"],
};

/** Looks each message up by its transaction id, as somebody does who was asked about it. */
export async function checkReasons(page, keep) {
  for (const [transactionId, words] of Object.entries(REASONS)) {
    await find(page, transactionId);
    for (const summary of await page.locator('main summary', { hasText: 'Timeline' }).all())
      if (!(await summary.evaluate(({ parentElement }) => parentElement.open))) await summary.click();
    for (const word of words) {
      await page
        .locator('main')
        .getByText(word)
        .first()
        .waitFor({ timeout: 5_000 })
        .catch((error) => Promise.reject(new Error(`${transactionId}: “${word}” is not shown`, { cause: error })));
    }
    await keep(transactionId);
  }
  for (const [transactionId, words] of Object.entries(REFUSED)) {
    await filter(page, transactionId);
    const notice = page.locator('main .notice');
    await notice.waitFor();
    const text = await notice.innerText();
    for (const word of words) assert.ok(text.includes(word), `“${word}” is not in: ${text}`);
    await keep(transactionId);
  }
  await onPage(page, 'Refused triggers');
  for (const [transactionId, words] of Object.entries(REFUSED)) {
    const text = await page.locator('tr', { hasText: words[1] }).innerText();
    assert.ok(text.includes(transactionId), text);
  }
  await keep('refused');
}
