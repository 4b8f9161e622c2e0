import assert from 'node:assert/strict';
import { checkAccessible } from './axe.mjs';
import { confirm, onPage, waitForCount } from './page.mjs';

const CSV = `User id,First name,E-mail,plan,notes
import-1,Ida,ida@example.com,pro,"likes, commas"
import-2,Jo,no address,free,
,Nobody,nobody@example.com,free,
import-1,Again,again@example.com,pro,
`;

/** A topic is made, gets members, loses one, is renamed and deleted. */
export async function checkTopics(page, { client }, keep) {
  await onPage(page, 'Topics');
  await page.getByRole('button', { name: 'New topic…' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Watchers <b>');
  await page.getByLabel('Key').fill('order/47%11');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.locator('h1', { hasText: 'Watchers <b>' }).waitFor();
  await page.getByText('Nobody is in this topic').waitFor();
  await page.getByRole('button', { name: 'Add subscribers…' }).click();
  await page.getByLabel('Subscriber ids').fill('quin, pia\nnobody-of-this-id');
  await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByText('2 subscribers of the list are in the topic.').waitFor();
  await page.getByText('No subscribers with these ids: nobody-of-this-id').waitFor();
  await keep('topic');
  await page.getByLabel('Find an id').fill('pi');
  await page.keyboard.press('Enter');
  await waitForCount(page.locator('tbody tr'), 1);
  await confirm(page, 'Remove… pia', 'Remove', 'pia is no longer in the topic.');
  const { subscribers } = await client.topics.getTopic({ path: { topicKey: 'order/47%11' } });
  assert.deepEqual(subscribers, ['quin']);
  await page.getByRole('button', { name: 'Rename…' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Watchers of 4711');
  await page.getByRole('button', { name: 'Rename', exact: true }).click();
  await page.locator('h1', { hasText: 'Watchers of 4711' }).waitFor();
  await checkAccessible(page, 'a topic');
  await confirm(page, 'Delete…', 'Delete', 'The topic Watchers of 4711 is deleted.');
  await page.locator('h1', { hasText: 'Topics' }).waitFor();
  await page.getByText('No topics yet').waitFor();
}

/** A tenant is made with data, changed and deleted; JSON that cannot be read is not sent. */
export async function checkTenants(page, { client }, keep) {
  await onPage(page, 'Tenants');
  await page.getByRole('button', { name: 'New tenant…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('Globex');
  await dialog.getByLabel('Identifier').fill('globex');
  await dialog.getByLabel('Public URL').fill('http://globex.example');
  await dialog.getByLabel('Data').fill('{"color": "#00509e",');
  assert.ok(await dialog.getByRole('button', { name: 'Save' }).isDisabled());
  await dialog.getByLabel('Data').fill('{"color": "#00509e", "plan": "gold"}');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.locator('.faulty', { hasText: 'Public url must be an https URL' }).waitFor();
  await keep('tenant-form');
  await dialog.getByLabel('Public URL').fill('https://news.globex.example');
  await dialog.getByRole('button', { name: 'Save' }).click();
  const row = page.locator('tbody tr', { hasText: 'Globex' });
  await row.getByText('color, plan').waitFor();
  await row.getByRole('button', { name: 'Change… Globex' }).click();
  await dialog.getByLabel('Name', { exact: true }).fill('Globex Ltd');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.locator('tbody tr', { hasText: 'Globex Ltd' }).waitFor();
  const { name, data, publicUrl } = await client.tenants.getTenant({ path: { identifier: 'globex' } });
  assert.deepEqual(
    [name, publicUrl, data],
    ['Globex Ltd', 'https://news.globex.example', { color: '#00509e', plan: 'gold' }],
  );
  await checkAccessible(page, 'the tenants');
  await keep('tenants');
  await checkOverrides(page, client, keep);
  await onPage(page, 'Tenants');
  await confirm(page, 'Delete… Globex Ltd', 'Delete', 'The tenant Globex Ltd is deleted.');
  await page.locator('tbody tr', { hasText: 'Globex Ltd' }).waitFor({ state: 'detached' });
}

/** A workflow without email for one tenant, and as for all others again. */
async function checkOverrides(page, client, keep) {
  await onPage(page, 'Workflows');
  await page.getByRole('link', { name: 'Receipt', exact: true }).click();
  const tenants = page.getByRole('region', { name: 'Tenants' });
  const dialog = page.getByRole('dialog');
  await tenants.getByRole('button', { name: 'Add tenant…' }).click();
  await dialog.getByLabel('Tenant', { exact: true }).selectOption({ label: 'Globex Ltd (globex)' });
  await dialog.getByRole('checkbox', { name: 'Email' }).uncheck();
  await keep('override-form');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await tenants.getByText('without Email').waitFor();
  await checkAccessible(page, 'a workflow with overrides');
  await keep('overrides');
  const [shown] = await client.workflowOverrides.listWorkflowOverrides();
  assert.deepEqual([shown.active, shown.preferenceSettings.email], [true, false]);
  // Responses show what applies; definitions have what is stored.
  const stored = async () => {
    const [{ definition }] = await client.definitions.listWorkflowOverrideDefinitions();
    const { tenant, active, preferenceSettings } = definition;
    assert.equal(tenant, 'globex');
    return { ...(active !== undefined && { active }), preferenceSettings };
  };
  assert.deepEqual(await stored(), { preferenceSettings: { email: false } });
  await tenants.getByRole('button', { name: 'Change Globex Ltd' }).click();
  await dialog.getByRole('checkbox', { name: 'The workflow can be triggered' }).uncheck();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await tenants.getByText('cannot be triggered').waitFor();
  assert.deepEqual(await stored(), { active: false, preferenceSettings: { email: false } });
  await tenants.getByRole('button', { name: 'Change Globex Ltd' }).click();
  const remove = dialog.getByRole('button', { name: 'Use the settings of the workflow again' });
  const refusal = { statusCode: 409, code: 'refused', message: 'Refused for the test.' };
  await page.route('**/v1/workflow-overrides/*', (route) => route.fulfill({ status: 409, json: refusal }));
  await remove.click();
  await dialog.getByRole('alert').filter({ hasText: 'Refused for the test.' }).waitFor();
  await keep('override-not-removed');
  await page.unroute('**/v1/workflow-overrides/*');
  await remove.click();
  await tenants.getByText('cannot be triggered').waitFor({ state: 'detached' });
  assert.equal((await client.workflowOverrides.listWorkflowOverrides()).length, 0);
}

/** Feeds and groups are made, renamed and deleted; what workflows use stays. */
export async function checkGroups(page, keep) {
  await onPage(page, 'Feeds and groups');
  const feeds = page.getByRole('region', { name: 'Feeds' });
  const groups = page.getByRole('region', { name: 'Workflow groups' });
  const dialog = page.getByRole('dialog');
  await feeds.getByRole('button', { name: 'New feed…' }).click();
  await dialog.getByLabel('Name', { exact: true }).fill('Offers');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await feeds.getByRole('row', { name: /Offers/ }).waitFor();
  await groups.getByRole('button', { name: 'New group…' }).click();
  await dialog.getByLabel('Name', { exact: true }).fill('Marketing');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await groups.getByRole('button', { name: 'Change… Marketing' }).click();
  await dialog.getByLabel('Name', { exact: true }).fill('Campaigns');
  await dialog.getByLabel('Description').fill('What is new');
  await dialog.getByLabel('Order').fill('3');
  await keep('group-form');
  await dialog.getByRole('button', { name: 'Save' }).click();
  const row = groups.getByRole('row', { name: /Campaigns.*What is new/ });
  const order = row.getByRole('cell', { name: '3', exact: true });
  await order.waitFor();
  await groups.getByRole('button', { name: 'Change… Campaigns' }).click();
  await dialog.getByLabel('Order').fill('');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await order.waitFor({ state: 'detached' });
  await row.waitFor();
  await checkAccessible(page, 'feeds and groups');
  await keep('groups');
  await groups.getByRole('button', { name: 'Delete… General' }).click();
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await dialog.getByRole('alert').waitFor();
  await page.keyboard.press('Escape');
  await confirm(page, 'Delete… Campaigns', 'Delete', 'The group Campaigns is deleted.');
  await confirm(page, 'Delete… Offers', 'Delete', 'The feed Offers is deleted.');
}

/** A file is checked before it is sent; what cannot be imported is named by its line. */
export async function checkImport(page, { client }, keep) {
  await onPage(page, 'Subscribers');
  await page.getByRole('link', { name: 'Import' }).click();
  const file = page.getByLabel('CSV file');
  const give = (name, text) => file.setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
  await give('empty.csv', 'id,name\n');
  await page.getByText('empty.csv has no rows below the heading.').waitFor();
  await give('people.csv', CSV);
  await page.getByText('1 row can be imported, 3 rows cannot.').waitFor();
  await page.getByText('no address is not an email address.').waitFor();
  await page.getByText('The id is in line 2 as well.').waitFor();
  await page.getByLabel('Where notes goes').selectOption('none');
  await checkAccessible(page, 'the import');
  await keep('import');
  await page.getByRole('button', { name: 'Import 1 row' }).click();
  await page.getByText('1 of 1 row: 1 created, 0 updated, 0 refused.').waitFor();
  const { firstName, email, data } = await client.subscribers.getSubscriber({ path: { subscriberId: 'import-1' } });
  assert.deepEqual({ firstName, email, data }, { firstName: 'Ida', email: 'ida@example.com', data: { plan: 'pro' } });
  const many = Array.from({ length: 1_200 }, (_, at) => `import-${at},Person ${at},p${at}@example.com`);
  many[700] = 'import-700,Person 700,p..700@example..com';
  await give('many.csv', `id,first name,email\n${many.join('\n')}\n`);
  await page.getByRole('button', { name: 'Import 1,200 rows' }).click();
  await page.getByText('1,200 of 1,200 rows: 1,198 created, 1 updated, 1 refused.').waitFor();
  await page.getByText('email must be an email').waitFor();
  await keep('imported');
}
