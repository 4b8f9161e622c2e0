import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { checkAccessible } from './axe.mjs';
import { onPage } from './page.mjs';

/** A person is made, changed, given out and erased. */
export async function checkPeople(page, { client }, keep) {
  await onPage(page, 'Subscribers');
  await page.getByRole('button', { name: 'New subscriber…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Subscriber id').fill('team/gus');
  await dialog.getByLabel('First name').fill('Gus');
  await dialog.getByLabel('Email').fill('gus@example.com');
  await dialog.getByLabel('Data').fill('{ "plan": "pro" }');
  await checkAccessible(page, 'the form of a subscriber');
  await keep('new-subscriber');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.locator('h1', { hasText: 'Gus (team/gus)' }).waitFor();
  await page.getByRole('button', { name: 'Edit…' }).click();
  await dialog.getByLabel('Email').fill('');
  await dialog.getByLabel('Last name').fill('Stone');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.locator('h1', { hasText: 'Gus Stone' }).waitFor();
  const path = { subscriberId: 'team/gus' };
  const stored = await client.subscribers.getSubscriber({ path });
  assert.deepEqual(
    [stored.firstName, stored.lastName, stored.email ?? '', stored.data],
    ['Gus', 'Stone', '', { plan: 'pro' }],
  );
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ]);
  assert.equal(download.suggestedFilename(), 'subscriber-team_gus.json');
  assert.match(readFileSync(await download.path(), 'utf8'), /"lastName": "Stone"/);
  await page.getByRole('button', { name: 'Delete…' }).click();
  const remove = dialog.getByRole('button', { name: 'Delete for good' });
  assert.equal(await remove.isDisabled(), true);
  await dialog.getByLabel('to confirm').fill('team/gus');
  await keep('delete-subscriber');
  await remove.click();
  await page.locator('h1', { hasText: 'Subscribers' }).waitFor();
  const left = await client.subscribers.listSubscribers();
  assert.ok(!left.some(({ subscriberId }) => subscriberId === 'team/gus'));
}
