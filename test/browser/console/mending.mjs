import assert from 'node:assert/strict';
import { find, onPage } from './page.mjs';
import { settled } from './scenes.mjs';

const accepting = () => [201, { sid: `SM${Math.random().toString(16).slice(2)}`, status: 'queued' }];

/** The provider is available again, an integration was created, an address was reported by mistake: replay. */
export async function mendAndReplay(page, { client }, providers, keep) {
  providers.answers.twilio = accepting;
  await find(page, 'outage');
  await replay(page);
  await page.getByText('Replay 1, attempt 1 with twilio: accepted').waitFor({ state: 'attached' });
  assert.ok(
    providers.sent.some(({ message }) => message.Body?.includes('outage')),
    'the text was not sent',
  );
  await keep('replayed');

  await find(page, 'no-integration');
  await replay(page);

  await find(page, 'cut');
  await page.getByRole('button', { name: 'Replay…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Replay', exact: true }).click();
  assert.ok(await dialog.isVisible(), 'an uncertain message needs a confirmation of its own');
  await dialog.getByRole('checkbox').check();
  await dialog.getByRole('button', { name: 'Replay', exact: true }).click();
  await hasEnded(page);

  await find(page, 'dead-address');
  await page.getByRole('button', { name: 'Mark as valid…' }).click();
  await keep('mark-as-valid');
  await dialog.getByRole('button', { name: 'Mark as valid' }).click();
  await page.getByText('Herald will send to ada@example.com again.').waitFor();
  await page.getByText('The subscriber now has a valid address.').waitFor();
  await replay(page);
  const { addressStates } = await client.subscribers.getSubscriber({ path: { subscriberId: 'ada' } });
  assert.equal(addressStates, undefined);
}

async function replay(page) {
  await page.getByRole('button', { name: 'Replay…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Replay', exact: true }).click();
  await page.getByText('The failed steps are being rerun.').first().waitFor();
  await hasEnded(page);
}

const hasEnded = (page) => page.locator('.facts .status', { hasText: 'Completed' }).waitFor();

export async function cancelOne(page, keep) {
  await find(page, 'waiting');
  await page.getByRole('button', { name: 'Cancel…' }).click();
  await keep('cancel');
  await page.getByRole('button', { name: 'Cancel notification' }).click();
  await page.locator('.facts .status', { hasText: 'Canceled' }).waitFor();
}

/** An outage has failed several; all that match the filter are replayed at once. */
export async function replayMany(page, { client, trigger, workflows }, providers, keep) {
  providers.answers.twilio = () => [400, { code: 20003, message: 'Authenticate' }];
  const ids = ['bulk-1', 'bulk-2', 'bulk-3'];
  for (const id of ids) await trigger('order-text', id, 'nora');
  await settled(client, ids);
  providers.answers.twilio = accepting;
  await onPage(page, 'Activity');
  await page.getByLabel('Status').selectOption('failed');
  await page.getByLabel('Workflow').selectOption(workflows['order-text']);
  await page.getByLabel('Subscriber id').fill('nora');
  await page.keyboard.press('Enter');
  await page.locator('tr', { hasText: 'bulk-1' }).waitFor();
  await page.getByRole('button', { name: 'Replay failed…' }).click();
  await page.getByText('3 failed notifications match.').waitFor();
  await keep('replay-matching');
  await page.getByRole('button', { name: 'Start replay' }).click();
  await page.locator('.status', { hasText: 'Completed' }).waitFor();
  await page.getByText('3 of 3').waitFor();
  await keep('replay');
  await settled(client, ids);
  assert.equal(providers.sent.filter(({ message }) => /bulk-\d/.test(message.Body ?? '')).length, 3);
  await page.getByRole('link', { name: '← All replays' }).click();
  await page.locator('tbody tr').first().waitFor();
  await keep('replays');
}
