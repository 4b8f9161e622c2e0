import assert from 'node:assert/strict';
import { onPage, openConsole, signIn } from './page.mjs';
import { HOSTILE } from './scenes.mjs';

/** Found by a search; the page shows what a person is and wants, and changes a preference. */
export async function checkSubscribers(page, { client, workflows }, keep) {
  await onPage(page, 'Subscribers');
  await page.locator('tbody tr').first().waitFor();
  assert.ok((await page.locator('main').innerText()).includes('<script>'), 'names are not shown as they are');
  await page.getByRole('searchbox', { name: 'Search' }).fill('quin@example.com');
  await page.keyboard.press('Enter');
  await page.waitForURL(/by=email/);
  await keep('subscribers');
  await page.getByRole('link', { name: 'quin', exact: true }).click();
  const box = page.getByRole('checkbox', { name: 'Receipt: In-app' });
  await box.waitFor();
  assert.equal(await box.isChecked(), false);
  await box.focus();
  await page.keyboard.press('Space');
  await page.getByText('The preference was changed.').waitFor();
  await page.locator('input[aria-label="Receipt: In-app"]:checked').waitFor();
  const rows = await client.preferences.listPreferences({ path: { subscriberId: 'quin' } });
  assert.equal(rows.find(({ template }) => template._id === workflows.Receipt._id).preference.channels.in_app, true);
  await page.getByLabel('Messages in certain hours only').check();
  await page.getByRole('checkbox', { name: 'Friday' }).uncheck();
  await page.getByLabel('Monday, until', { exact: true }).fill('12:00');
  await page.getByRole('button', { name: 'More hours on Monday' }).click();
  await page.getByLabel('Monday, from, 2').fill('13:30');
  await page.getByLabel('Monday, until, 2').fill('18:00');
  await keep('subscriber');
  await page.getByRole('button', { name: 'Save hours' }).click();
  await page.getByText('The hours were saved.').waitFor();
  const of = { path: { subscriberId: 'quin', levelOrWorkflowId: 'global' } };
  const [{ preference }] = await client.preferences.listPreferencesOfLevel(of);
  assert.deepEqual(preference.schedule.weeklySchedule.monday.hours, [
    { start: '09:00', end: '12:00' },
    { start: '13:30', end: '18:00' },
  ]);
  assert.equal(preference.schedule.weeklySchedule.friday, undefined);
  await onPage(page, 'Subscribers');
  await page.getByRole('link', { name: 'a/b%2Fc' }).click();
  await page.locator('h1', { hasText: '(a/b%2Fc)' }).waitFor();
  await onPage(page, 'Subscribers');
  await page.getByRole('link', { name: 'pia', exact: true }).click();
  await page.locator('.feed li').first().waitFor();
  await page.getByRole('link', { name: 'View activity' }).click();
  await page.waitForURL(/subscriber=pia/);
  assert.equal(await page.evaluate('window.broken'), undefined);
}

/** A schedule is made while its next occurrences are shown, then paused, resumed, run, changed and deleted. */
export async function checkSchedules(page, { client }, keep) {
  const confirm = async (button, action, toast) => {
    await page.getByRole('button', { name: button }).click();
    await page.getByRole('dialog').getByRole('button', { name: action, exact: true }).click();
    await page.getByText(toast).waitFor();
  };
  await onPage(page, 'Schedules');
  await page.getByText('No schedules yet').waitFor();
  await page.getByRole('link', { name: 'New schedule' }).click();
  await page.getByLabel('Occurs').selectOption('weekly');
  await page.getByRole('checkbox', { name: 'Mon' }).check();
  await page.getByLabel('Time of day').fill('09:30');
  await page.getByLabel('Time zone').fill('Mars');
  await page.keyboard.press('Tab');
  await page.getByText(/Time ?zone must be/i).waitFor();
  await page.getByLabel('Time zone').fill('Europe/Berlin');
  await page.keyboard.press('Tab');
  await page.getByText('Times in Europe/Berlin.').waitFor();
  const shown = page.locator('.occurrences li');
  await shown.nth(9).waitFor();
  for (const text of await shown.allInnerTexts()) assert.match(text, /^Mon, .*09:30/);
  await page.getByLabel('Workflow').selectOption({ label: 'Receipt' });
  await page.getByLabel('Subscribers').fill('quin');
  await page.getByLabel('Name').fill('Weekly <b>report</b>');
  await keep('schedule-new');
  await page.getByRole('button', { name: 'Create schedule' }).click();
  await page.locator('h1', { hasText: 'Weekly <b>report</b>' }).waitFor();
  await confirm('Pause…', 'Pause', 'The schedule is paused.');
  await page.getByText('Paused: none of these occurs').waitFor();
  await confirm('Resume…', 'Resume', 'The schedule is resumed.');
  await confirm('Run now…', 'Run now', 'The workflow is triggered.');
  await keep('schedule');
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await page.getByLabel('Every how many weeks').fill('2');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Every 2 weeks on Monday, at 09:30').waitFor();
  const [made] = await client.schedules.listSchedules({ query: { subscriberId: 'quin' } });
  assert.deepEqual(made.rule, { frequency: 'weekly', interval: 2, days: ['monday'], hour: 9, minute: 30 });
  await onPage(page, 'Schedules');
  await page.locator('tbody tr', { hasText: 'Every 2 weeks' }).waitFor();
  await keep('schedules');
  await page.getByRole('link', { name: 'Weekly <b>report</b>' }).click();
  await confirm('Delete…', 'Delete', 'The schedule is deleted.');
  await page.getByText('No schedules yet').waitFor();
}

/** What providers say about credentials, which are not shown. */
export async function checkIntegrations(page, keep) {
  await onPage(page, 'Integrations');
  const row = (name) => page.locator('tbody tr', { hasText: name });
  const check = (name) =>
    row(name)
      .getByRole('button', { name: /^Check/ })
      .click();
  await row('Own server').getByText('tenant.identifier').waitFor();
  await check('mail-');
  await row('mail-').getByText('Accepted by the provider').waitFor();
  await check('Own server');
  await row('Own server').getByText('Check failed').waitFor();
  assert.match(await row('Own server').innerText(), /ECONNREFUSED|refused/);
  await check('Discord');
  await row('Discord').getByText('credentials cannot be checked without sending.').waitFor();
  await keep('integrations');
  assert.doesNotMatch(await page.content(), /secret-9/);
}

/** A delivery that failed is sent again: one, then all. */
export async function checkWebhooks(page, { webhook, client }, receiver, keep) {
  await onPage(page, 'Webhooks');
  await page.getByRole('link', { name: receiver.url }).click();
  const failed = page.locator('tbody tr', { hasText: 'Failed' });
  await failed.first().waitFor();
  await failed.first().locator('summary').click();
  await failed.first().getByRole('link', { name: 'View notification' }).waitFor();
  await keep('webhook');
  assert.match(await failed.first().innerText(), /500[^]*2 attempts/);
  receiver.status = 200;
  const [{ _id }] = await client.webhooks.listWebhookDeliveries({
    path: { webhookId: webhook._id },
    query: { status: 'failed' },
  });
  await failed.first().getByRole('button', { name: 'Resend' }).click();
  await page.locator('tbody tr', { hasText: 'Delivered' }).first().waitFor();
  assert.ok(receiver.received.filter((id) => id === _id).length >= 3, 'it did not arrive with the same id');
  await page.getByRole('button', { name: 'Resend failed…' }).click();
  await page.getByRole('button', { name: 'Resend', exact: true }).last().click();
  await page.getByText('Done', { exact: true }).waitFor();
  await keep('webhook-replay');
  await page.keyboard.press('Escape');
  await page.locator('tbody', { hasText: 'Failed' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Rotate secret…' }).click();
  await page.getByRole('button', { name: 'Rotate', exact: true }).click();
  await page.locator('.secret').waitFor();
  const secret = await page.locator('.secret').innerText();
  await page.getByRole('button', { name: 'Done' }).click();
  assert.ok(!(await page.content()).includes(secret), 'the secret is still in the page');
}

/** A key is issued, shown once, used, and revoked. */
export async function checkKeys(page, { url }, keep) {
  await onPage(page, 'API keys');
  await page.getByRole('button', { name: 'Issue a key…' }).click();
  await page.getByLabel('Name').fill(`ci ${HOSTILE}`);
  await page.getByLabel('trigger').check();
  await page.getByLabel('Valid for').selectOption('30');
  await keep('key-issue');
  await page.getByRole('button', { name: 'Issue', exact: true }).click();
  await page.getByText('Copy it now').waitFor();
  const key = await page.locator('.secret').innerText();
  await keep('key-shown');
  await page.getByRole('button', { name: 'Done' }).click();
  const kept = await page.evaluate(
    'JSON.stringify([location.href, document.documentElement.outerHTML, { ...localStorage }, { ...sessionStorage }, history.state])',
  );
  assert.ok(!kept.includes(key), 'the key is still in the page or its storage');
  const use = () => fetch(`${url}/v1/environments/me`, { headers: { authorization: `ApiKey ${key}` } });
  assert.equal((await use()).status, 200);
  const row = page.locator('tbody tr', { hasText: '<script>' });
  assert.match(await row.innerText(), /read, trigger|trigger, read/);
  await row.getByRole('button', { name: /^Revoke/ }).click();
  await page.getByText('Requests that use this key will be rejected immediately.').waitFor();
  await keep('key-revoke');
  await page.getByRole('button', { name: 'Revoke', exact: true }).click();
  await row.waitFor({ state: 'detached' });
  assert.equal((await use()).status, 401);
  assert.equal(await page.evaluate('window.broken'), undefined);
}

/** A key without a scope gets a page that names it, and the rest of the console. */
export async function checkMissingScope(page, herald, keep) {
  const { key } = await herald.client.environments.issueApiKey({ body: { name: 'reader', scopes: ['read'] } });
  await openConsole(page, herald, '/keys');
  await signIn(page, key);
  await page.getByText('Your key lacks the scope “admin”').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Issue a key…' }).count(), 0);
  await keep('missing-scope');
  await onPage(page, 'Workflows');
  await page.getByRole('link', { name: 'Receipt' }).click();
  await page.getByRole('link', { name: 'Run…' }).click();
  await page.getByLabel('Subscribers').fill('pia');
  await page.getByRole('button', { name: 'Start dry run' }).click();
  await page.getByText("This needs an API key with the scope 'trigger'").waitFor();
}
