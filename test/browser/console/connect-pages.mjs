import assert from 'node:assert/strict';
import { checkAccessible } from './axe.mjs';
import { onPage } from './page.mjs';

/** A provider from the catalogue: what is missing is named, secrets are not shown again, and one becomes the first. */
export async function checkConnecting(page, { client }, keep) {
  await onPage(page, 'Integrations');
  await page.getByRole('link', { name: 'Connect a provider' }).click();
  await page.getByLabel('Search').fill('sendgr');
  await keep('providers');
  await checkAccessible(page, 'the choice of providers');
  await page.getByLabel('Search').fill('smtp');
  await page.getByRole('link', { name: 'Custom SMTP' }).click();
  await fillInForService(page);
  await page.goBack();
  await page.getByRole('link', { name: 'SendGrid' }).click();
  await page.getByRole('button', { name: 'Connect' }).click();
  await page.getByText('An active integration needs this.').first().waitFor();
  await page.getByLabel('API key', { exact: true }).fill('k-very-secret');
  await page.getByLabel('From address').fill('shop@herald.example');
  await page.getByLabel('From name').fill('The shop');
  await page.getByText('Settings, API Keys, Create API Key').waitFor();
  await page.getByLabel('Check the credentials with SendGrid').uncheck();
  await keep('connect');
  await checkAccessible(page, 'the form of an integration');
  await page.getByRole('button', { name: 'Connect' }).click();
  await page.getByRole('link', { name: 'SendGrid', exact: true }).click();
  const secret = page.getByLabel('API key', { exact: true });
  assert.equal(await secret.inputValue(), '');
  assert.equal(await secret.getAttribute('placeholder'), 'Stored; leave empty to keep it');
  await page.getByLabel('From name').fill('The other shop');
  const opens = page.getByRole('checkbox', { name: /^Follow opens/ });
  const clicks = page.getByRole('checkbox', { name: /^Follow clicks/ });
  assert.deepEqual([await opens.isChecked(), await clicks.isChecked()], [false, false]);
  await clicks.check();
  await page.getByLabel('Check the credentials with SendGrid').uncheck();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  const stored = async () => (await client.integrations.listIntegrations()).find(({ name }) => name === 'SendGrid');
  assert.deepEqual((await stored()).credentials, {
    apiKey: 'k-very-secret',
    from: 'shop@herald.example',
    senderName: 'The other shop',
  });
  assert.deepEqual((await stored()).tracking, { opens: false, clicks: true });
  await page.getByRole('button', { name: 'Make primary' }).click();
  await page.getByText('SendGrid is tried first now.').waitFor();
  assert.equal((await stored()).primary, true);
  await keep('integration');
  await page.getByRole('button', { name: 'Delete…' }).click();
  await page.getByText('It is the primary integration').waitFor();
  await page.getByRole('button', { name: 'Delete integration' }).click();
  await page.locator('h1', { hasText: 'Integrations' }).waitFor();
  assert.equal(await stored(), undefined);
}

/** What a service has for everybody, and empty again for another one. */
async function fillInForService(page) {
  await page.getByRole('region', { name: 'Before you begin' }).getByText('Ask your mail service').waitFor();
  const service = page.getByLabel('Service', { exact: true });
  const hostAndPort = async () => [
    await page.getByLabel('Host', { exact: true }).inputValue(),
    await page.getByLabel('Port', { exact: true }).inputValue(),
  ];
  await service.selectOption('Gmail');
  assert.deepEqual(await hostAndPort(), ['smtp.gmail.com', '587']);
  await service.selectOption('Another one');
  assert.deepEqual(await hostAndPort(), ['', '']);
}
