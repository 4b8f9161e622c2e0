import assert from 'node:assert/strict';
import { checkAccessible } from './axe.mjs';
import { confirm, onPage, waitForCount } from './page.mjs';

/** An agent gets a key, waits for a person, is told yes and can be followed; questions are listed, read and canceled. */
export async function checkQuestions(page, { url }, key, keep) {
  const call = caller(url, key);
  const people = ['quinn', 'rosa'];
  for (const subscriberId of people) await call('POST', 'v1/subscribers', { subscriberId });
  const steps = [{ template: { type: 'in_app', content: 'Order {{number}} is late' } }];
  await call('POST', 'v1/workflows', { name: 'Order late', active: true, steps });
  const agent = await issueAgentKey(page, keep);
  await ask(url, agent, { workflow: 'order-late', to: people, payload: { number: 4711 }, dryRun: false });
  const { _id } = await call('POST', 'v1/questions', {
    title: 'Deploy version 4.2?',
    subscribers: people,
    quorum: 'all',
  });
  await call('POST', `v1/questions/${_id}/answers`, { subscriberId: 'quinn', value: 'approve' });

  await onPage(page, 'Questions');
  const rows = page.locator('tbody tr');
  await waitForCount(rows, 2);
  await rows.filter({ hasText: 'Deploy version 4.2?' }).getByText('1 of 2').waitFor();
  await checkAccessible(page, 'the list of questions');
  await keep(page, 'questions-1280');
  await page.getByLabel('Status', { exact: true }).selectOption('expired');
  await page.getByText('No matching questions').waitFor();
  await page.getByLabel('Status', { exact: true }).selectOption('open');
  await waitForCount(rows, 2);
  await page.getByLabel('Asked', { exact: true }).fill('quinn');
  await page.getByLabel('Asked', { exact: true }).press('Enter');
  await waitForCount(rows, 1);
  await page.getByRole('link', { name: 'Deploy version 4.2?' }).click();
  const quinn = rows.filter({ hasText: 'quinn' });
  await quinn.getByText('By your server').waitFor();
  await quinn.getByText('Valid').waitFor();
  await checkAccessible(page, 'a question');
  await bothSizes(page, 'question', keep);
  await confirm(page, 'Cancel…', 'Cancel it', 'The question was canceled.');
  await page.locator('dl.facts').getByText('Canceled').waitFor();
  await decide(page, call, keep);
  await followAgent(page, keep);
}

async function issueAgentKey(page, keep) {
  await onPage(page, 'API keys');
  await page.getByRole('button', { name: 'Issue a key…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Claude');
  await dialog.getByLabel('For', { exact: true }).selectOption('agent');
  assert.equal(await dialog.getByLabel('admin').count(), 0);
  await dialog.getByLabel('trigger').check();
  await dialog.getByLabel('Ask a person above').fill('1');
  await dialog.getByLabel('Sends in certain hours only').check();
  await dialog.getByRole('checkbox', { name: 'Monday' }).waitFor();
  await checkAccessible(page, 'the form of a key for an agent');
  await keep(page, 'agent-key-1280');
  await dialog.getByLabel('Sends in certain hours only').uncheck();
  await dialog.getByRole('button', { name: 'Issue', exact: true }).click();
  await page.getByText('Copy it now').waitFor();
  const agent = await page.locator('.secret').innerText();
  await page.getByRole('button', { name: 'Done' }).click();
  const row = page.locator('tbody tr', { hasText: 'Claude' });
  await row.getByText('asks above 1 at once').waitFor();
  await changeLimits(page, row, keep);
  await bothSizes(page, 'keys', keep);
  return agent;
}

/** The form has the limits as they are; an empty field gives one its default back. */
async function changeLimits(page, row, keep) {
  const dialog = page.getByRole('dialog');
  const open = () => row.getByRole('button', { name: /^Limits/ }).click();
  const save = () => dialog.getByRole('button', { name: 'Save' }).click();
  await open();
  assert.equal(await dialog.getByLabel('Ask a person above').inputValue(), '1');
  await dialog.getByLabel('Different people').fill('-1');
  await save();
  await dialog.getByText('must not be less than 0').first().waitFor();
  await dialog.getByLabel('Different people').fill('7');
  await dialog.getByLabel('Sends in certain hours only').check();
  await keep(page, 'agent-limits-1280');
  await save();
  await row.getByText('60 notifications to 7 people in an hour; asks above 1 at once; in certain hours').waitFor();
  await open();
  await dialog.getByLabel('Different people').fill('');
  await dialog.getByLabel('Sends in certain hours only').uncheck();
  await save();
  await row.getByText('60 notifications to 60 people in an hour; asks above 1 at once', { exact: true }).waitFor();
}

async function decide(page, call, keep) {
  await onPage(page, 'Questions');
  await page.getByRole('link', { name: 'May the agent Claude' }).click();
  await page.getByText('Trigger order-late for 2 subscribers').waitFor();
  await page.locator('pre', { hasText: '4711' }).waitFor();
  await bothSizes(page, 'request', keep);
  await confirm(page, 'Let it send…', 'Let it send', 'It will be sent now.');
  await page.getByRole('link', { name: 'Show deliveries' }).last().waitFor();
  await page.getByText('Ada Lovelace, in the console').waitFor();
  await keep(page, 'request-approved-1280');
  const { data } = await call('GET', 'v1/notifications?search=quinn', undefined, (body) => body);
  assert.ok(data.length > 0, 'what was approved is not sent');
}

/** From its key to what it did. */
async function followAgent(page, keep) {
  await onPage(page, 'API keys');
  await page.getByRole('link', { name: 'What it did Claude' }).click();
  const rows = page.locator('tbody tr');
  await rows.filter({ hasText: 'Triggered event' }).getByText('order-late').waitFor();
  await rows.filter({ hasText: 'Created question' }).waitFor();
  await waitForCount(rows, 2);
  assert.equal(await rows.filter({ hasText: 'Agent' }).count(), 2);
  await keep(page, 'agent-did-1280');
}

async function bothSizes(page, name, keep) {
  await keep(page, `${name}-1280`);
  const size = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 780 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await checkAccessible(page, `${name} on a phone`);
  const isTooWide = await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');
  assert.equal(isTooWide, false, `${name} is wider than a phone`);
  await keep(page, `${name}-390-dark`);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(size);
}

async function ask(url, agent, args) {
  const params = { name: 'trigger', arguments: args };
  const call = caller(url, agent);
  const { result } = await call('POST', 'mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, (body) => body);
  assert.match(result.content[0].text, /waits_for_person/);
}

function caller(url, key) {
  return async (method, path, body, read = ({ data }) => data) => {
    const headers = { authorization: `ApiKey ${key}`, ...(body && { 'content-type': 'application/json' }) };
    const answer = await fetch(`${url}/${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    assert.ok(answer.ok, `${method} ${path}: ${answer.status}`);
    return read(await answer.json());
  };
}
