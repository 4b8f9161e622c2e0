import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { checkAccessible } from './axe.mjs';
import { onPage, waitForCount } from './page.mjs';

const SECRET = 'sentinel-of-an-integration';

/** What people, keys and files did is in the audit log, with the difference, found by filters and from the pages of what changed. */
export async function checkAuditLog(page, { url }, key, keep) {
  const id = await changesByKey(url, key);
  await onPage(page, 'Audit log');
  const rows = page.locator('tbody tr');
  const ofPerson = rows.filter({ hasText: 'Ada Lovelace' }).filter({ hasText: 'Accepted an invitation or a link' });
  await ofPerson.first().waitFor();
  const updated = rows.filter({ hasText: 'Updated layout' });
  await updated.getByText('2 values changed').click();
  await updated.getByText('+ {{{body}}} <p>Bye</p>').waitFor();
  await updated.getByText('127.0.0.1').waitFor();
  await checkAccessible(page, 'the audit log');
  await keep(page, 'audit-log-1280');

  await page.getByLabel('What', { exact: true }).selectOption('integration');
  await page.waitForURL(/resourceType=integration/);
  await updated.waitFor({ state: 'detached' });
  // One of them is of the pages that a viewer walks.
  await waitForCount(rows, 3);
  const changed = rows.filter({ hasText: 'Updated integration' });
  await changed.locator('summary').click();
  await changed.getByText('secrets are not recorded').first().waitFor();
  assert.equal((await page.content()).includes(SECRET), false);
  await keep(page, 'audit-log-secret-1280');
  await page.getByLabel('What', { exact: true }).selectOption('');

  const who = page.getByLabel('Who', { exact: true });
  await who.selectOption({ label: 'Ada Lovelace (ada@example.com)' });
  await page.waitForURL(/actorId=/);
  await updated.waitFor({ state: 'detached' });
  await rows.first().waitFor();
  assert.equal(await rows.filter({ hasText: 'Grace Hopper' }).filter({ hasText: 'grace@example.com' }).count(), 0);
  await who.selectOption('');
  await page.getByLabel('Until').fill('2020-01-01T00:00');
  await page.getByLabel('Until').press('Enter');
  await page.getByText('No matching entries').waitFor();
  await page.getByLabel('Until').fill('');
  await page.getByLabel('Until').press('Enter');
  await updated.waitFor();

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export JSON lines' }).click(),
  ]);
  assert.equal(download.suggestedFilename(), 'audit-log.jsonl');
  const lines = readFileSync(await download.path(), 'utf8')
    .trimEnd()
    .split('\n');
  assert.ok(lines.some((line) => JSON.parse(line).action === 'updateLayout'));

  await updated.getByRole('link', { name: 'Fancy' }).click();
  await page.getByRole('link', { name: 'History' }).click();
  await page.getByText('Only the history of one layout').waitFor();
  await page.waitForURL(new RegExp(`resourceId=${id}`));
  await waitForCount(rows, 2);
  await onPhone(page, updated, keep);
  await page.getByRole('button', { name: 'Show all' }).click();
  await ofPerson.first().waitFor();
  await checkHistories(page, url, key, keep);
}

/** What is listed without a page of its own has the link in its row. */
async function checkHistories(page, url, key, keep) {
  const call = caller(url, key);
  await call('POST', 'topics', { key: 'news', name: 'News' });
  const budget = { name: 'Few', channels: ['email'], window: 'day', max: 3, over: 'drop' };
  const things = [
    ['tenant', 'Tenants', await call('POST', 'tenants', { identifier: 'acme', name: 'Acme' })],
    ['budget', 'Budgets', await call('POST', 'budgets', budget)],
    ['feed', 'Feeds and groups', await call('POST', 'feeds', { name: 'Offers' })],
    ['group', 'Feeds and groups', await call('POST', 'notification-groups', { name: 'Campaigns' })],
    ['topic', 'Topics', await call('GET', 'topics/news')],
    ['API key', 'API keys', await call('POST', 'environments/api-keys', { name: 'robot', scopes: ['read'] })],
  ];
  for (const [word, title, { _id, name }] of things) {
    await onPage(page, title);
    const isTopic = word === 'topic';
    // What keys do with topics is traffic, which is not recorded.
    if (isTopic) await renameTopic(page, name);
    await page.getByRole('link', { name: isTopic ? 'History' : `History ${name}`, exact: true }).waitFor();
    if (!isTopic) await keep(page, `history-${word.replace(' ', '-')}-1280`);
    await page.getByRole('link', { name: isTopic ? 'History' : `History ${name}`, exact: true }).click();
    await page.getByText(`Only the history of one ${word}.`).waitFor();
    await page.waitForURL(new RegExp(`resourceId=${_id}$`));
    await page.locator('tbody tr', { hasText: name }).waitFor();
    await waitForCount(page.locator('tbody tr'), 1);
  }
}

async function onPhone(page, updated, keep) {
  const size = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 780 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await updated.locator('summary').click();
  await checkAccessible(page, 'the audit log on a phone');
  const isTooWide = await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');
  assert.equal(isTooWide, false, 'the audit log is wider than a phone');
  await keep(page, 'audit-log-390-dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(size);
}

async function renameTopic(page, name) {
  await page.getByRole('link', { name, exact: true }).click();
  await page.getByRole('button', { name: 'Rename…' }).click();
  await page.getByLabel('Name', { exact: true }).fill(`${name} of today`);
  await page.getByRole('button', { name: 'Rename', exact: true }).click();
  await page.locator('h1', { hasText: `${name} of today` }).waitFor();
}

function caller(url, key) {
  return async (method, path, body) => {
    const headers = { authorization: `ApiKey ${key}`, ...(body && { 'content-type': 'application/json' }) };
    const answer = await fetch(`${url}/v1/${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    assert.ok(answer.ok, `${method} ${path}: ${answer.status}`);
    return (await answer.json()).data;
  };
}

/** @returns the id of a layout */
async function changesByKey(url, key) {
  const call = caller(url, key);
  const layout = await call('POST', 'layouts', { name: 'Plain', content: '{{{body}}}' });
  await call('PATCH', `layouts/${layout._id}`, { name: 'Fancy', content: '{{{body}}} <p>Bye</p>' });
  const credentials = { apiKey: SECRET, from: 'a@example.com', senderName: 'A' };
  const made = await call('POST', 'integrations', {
    providerId: 'sendgrid',
    channel: 'email',
    active: false,
    credentials,
  });
  await call('PUT', `integrations/${made._id}`, { credentials: { ...credentials, apiKey: `${SECRET}-2` } });
  return layout._id;
}
