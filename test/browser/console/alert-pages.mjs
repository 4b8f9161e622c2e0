import { Herald } from '@herald/client';
import { checkAccessible } from './axe.mjs';
import { onPage } from './page.mjs';

/** Nothing listens there. */
const NOWHERE = { baseUrl: 'http://127.0.0.1:9', apiKeyRequestHeader: 'x-key', apiKey: 'k', idPath: 'id', from: '+1' };

/** One click tells the person who is signed in; a provider that is down is told and shown, and the settings are changed. */
export async function checkAlerts(page, { url }, key, keep) {
  const client = new Herald({ baseUrl: url, apiKey: key });
  await onPage(page, 'Alerts');
  await page.getByRole('heading', { name: 'Nobody is told' }).waitFor();
  await page.getByRole('button', { name: 'Tell me' }).click();
  await page.getByRole('heading', { name: 'One person is told' }).waitFor();
  await page.getByText('Nothing is wrong').waitFor();
  const integration = await client.integrations.createIntegration({
    body: {
      channel: 'sms',
      providerId: 'generic-sms',
      name: 'SMS gateway',
      active: true,
      check: false,
      credentials: NOWHERE,
    },
  });
  const step = { template: { type: 'sms', content: 'Hello' } };
  const workflow = await client.workflows.createWorkflow({ body: { name: 'Outage', active: true, steps: [step] } });
  const to = [1, 2, 3, 4, 5].map((n) => ({ subscriberId: `outage-${n}`, phone: `+1555010${n}` }));
  await client.events.triggerEvent({ body: { name: 'outage', to, payload: {} } });
  await page.getByText('SMS gateway does not answer').waitFor({ timeout: 45_000 });
  await checkAccessible(page, 'the page of alerts');
  await keep(page, 'alerts-1280');
  await page.setViewportSize({ width: 390, height: 780 });
  await keep(page, 'alerts-390');
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('checkbox', { name: 'Messages are late' }).uncheck();
  await page.getByLabel('Time zone of the report').fill('Mars');
  await page.getByRole('button', { name: 'Save' }).click();
  await page
    .getByText(/time ?zone must be/i)
    .first()
    .waitFor();
  await page.getByLabel('Time zone of the report').fill('Europe/Berlin');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The alerts are changed.').waitFor();
  await page.getByRole('link', { name: 'The workflow of alerts' }).click();
  await page.locator('h1', { hasText: 'Herald alert' }).waitFor();
  await page.goBack();
  await page.getByRole('link', { name: 'Who is told' }).click();
  await page.getByRole('link', { name: 'ada@example.com' }).click();
  await page.locator('.feed li', { hasText: 'SMS gateway does not answer' }).waitFor();
  await onPage(page, 'Alerts');
  await page.getByRole('button', { name: 'Switch off' }).click();
  await page.getByRole('heading', { name: 'Nobody is told' }).waitFor();
  await client.workflows.deleteWorkflow({ path: { workflowId: workflow._id } });
  await client.integrations.deleteIntegration({ path: { integrationId: integration._id } });
}
