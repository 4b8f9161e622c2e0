import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { checkAccessible } from './axe.mjs';
import { onPage, waitForCount } from './page.mjs';
import { HOSTILE } from './scenes.mjs';

/** Addresses are suppressed, found by filters, exported and lifted with a reason. */
export async function checkSuppressions(page, { client }, keep) {
  await onPage(page, 'Suppressions');
  await page.getByText('No suppressions', { exact: true }).waitFor();
  const dialog = page.getByRole('dialog');
  const suppress = async (address, reason, toast) => {
    await page.getByRole('button', { name: 'Suppress an address…' }).click();
    await dialog.getByLabel('Address').fill(address);
    await dialog.getByLabel('Reason').fill(reason);
    if (address.startsWith('quin')) {
      await checkAccessible(page, 'the form of a suppression');
      await keep('suppress');
    }
    await dialog.getByRole('button', { name: 'Suppress' }).click();
    await page.getByText(toast).waitFor();
  };
  await suppress('quin@example.com', `Asked by phone ${HOSTILE}`, 'Nothing is sent to the address any more (quin).');
  await suppress('+4915112345678', '=1+1', 'No subscriber has the address');
  const body = { channel: 'email', subscriberId: 'pia', kind: 'bounce', reason: '550 5.1.1 No such user' };
  await client.suppressions.createSuppression({ body });
  await page.getByLabel('Because').selectOption('bounce');
  await page.waitForURL(/kind=bounce/);
  const rows = page.locator('tbody tr');
  await rows.filter({ hasText: '550 5.1.1' }).waitFor();
  await waitForCount(rows, 1);
  await page.getByLabel('Because').selectOption('');
  await page.getByLabel('Channel').selectOption('sms');
  await rows.filter({ hasText: 'no subscriber' }).waitFor();
  await waitForCount(rows, 1);
  await page.getByLabel('Channel').selectOption('');
  await page.getByRole('searchbox', { name: 'Address' }).fill('QUIN@example.com');
  await page.keyboard.press('Enter');
  await page.waitForURL(/address=QUIN/);
  await rows.filter({ hasText: 'Asked by phone' }).waitFor();
  await waitForCount(rows, 1);
  await page.getByRole('searchbox', { name: 'Address' }).fill('');
  await page.keyboard.press('Enter');
  await rows.nth(2).waitFor();
  await checkAccessible(page, 'the suppressions');
  await keep('suppressions');
  const csv = await exported(page, 'CSV');
  assert.match(csv, /^id,kind,channel,subscriberId,address,workflowId,reason,since\r\n/);
  assert.match(csv, /,manual,sms,,\+4915112345678,,'=1\+1,/);
  assert.equal(csv.trim().split('\r\n').length, 4);
  assert.equal(JSON.parse(await exported(page, 'JSON')).length, 3);
  for (const [name, words] of [
    ['quin@example.com', 'Messages are sent to quin@example.com again.'],
    ['pia@example.com', 'Messages are sent to pia@example.com again.'],
    ['+4915112345678', 'Messages are sent to +4915112345678 again.'],
  ]) {
    await page.getByRole('button', { name: `Lift… ${name}` }).click();
    await dialog.getByLabel('Reason').fill('Called again');
    await dialog.getByRole('button', { name: 'Lift' }).click();
    await page.getByText(words).waitFor();
  }
  await page.getByText('No suppressions', { exact: true }).waitFor();
  assert.deepEqual(await client.suppressions.listSuppressions(), []);
  assert.equal(await page.evaluate('window.broken'), undefined);
}

async function exported(page, format) {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: `Export ${format}` }).click(),
  ]);
  assert.equal(download.suggestedFilename(), `suppressions.${format.toLowerCase()}`);
  return readFileSync(await download.path(), 'utf8');
}
