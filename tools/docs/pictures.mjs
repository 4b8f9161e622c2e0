import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Herald } from '@herald/client';
import { openBrowser } from '../../test/browser/chromium.mjs';
import { openConsole, showStepsAsList, signIn } from '../../test/browser/console/page.mjs';
import { startProviders } from '../../test/browser/console/providers.mjs';
import { findHerald } from '../herald.mjs';
import { buildInboxDemo } from '../inbox-demo/build.mjs';
import { ROOT } from '../install.mjs';

// node tools/docs/pictures.mjs: makes the pictures of README.md and the manual with a Herald of its own, in Chromium.
const FOLDER = join(ROOT, 'docs', 'images');
const BROWSER = process.env.CHROMIUM || '/usr/bin/chromium';
const VIEW = { width: 1200, height: 760 };
const MAIL = `<div style="font-family:Helvetica,Arial,sans-serif;max-width:34rem;margin:0 auto;color:#1c2430">
<h1 style="color:#2450d8">Your order is on its way</h1>
<p>Hello {{subscriber.firstName}},</p>
<p>order <b>{{order.number}}</b> left our warehouse today and arrives on Thursday.</p>
<table style="width:100%;border-collapse:collapse">{{#each order.items}}<tr>
<td style="padding:8px 0;border-bottom:1px solid #dfe3e8">{{name}}</td>
<td style="padding:8px 0;border-bottom:1px solid #dfe3e8;text-align:right">€ {{numberFormat price}}</td></tr>{{/each}}</table>
<p><a href="https://shop.example/orders/{{order.number}}" style="display:inline-block;background:#2450d8;color:#fff;padding:10px 18px;border-radius:6px;text-decoration:none">Track the parcel</a></p></div>`;
const PAYLOAD = {
  order: {
    number: '4711',
    items: [
      { name: 'Desk lamp', price: 79 },
      { name: 'Bulb, warm white', price: 6.5 },
    ],
  },
};

mkdirSync(FOLDER, { recursive: true });
buildInboxDemo();
const providers = await startProviders();
providers.answers.twilio = () => [401, { code: 20003, message: 'Authenticate', status: 401 }];
const own = { ...process.env, HERALD_URL: undefined };
const herald = await findHerald(own, {
  ...providers.settings,
  DELIVERY_MAX_ATTEMPTS: '2',
  DELIVERY_RETRY_BASE_MS: '200',
});
const { context, close } = await openBrowser(BROWSER, VIEW);
try {
  const client = new Herald({ baseUrl: herald.url, apiKey: herald.apiKey });
  const workflow = await play(client);
  const page = await context.newPage();
  await showStepsAsList(page);
  page.setDefaultTimeout(20_000);
  const keep = (name, of = page) => of.screenshot({ path: join(FOLDER, `${name}.png`) });
  await openConsole(page, herald);
  await signIn(page, herald.apiKey);
  await page.locator('tbody tr').first().getByRole('link').first().click();
  await page.locator('.step-list').waitFor();
  await page.setViewportSize({ ...VIEW, height: 1_180 });
  await keep('console-reason');
  await page.setViewportSize(VIEW);
  await page.goto(`${herald.url}/inbox-demo`);
  await page.getByLabel(/^API key/).fill(herald.apiKey);
  await page.getByRole('button', { name: 'Show the components' }).click();
  await page.locator('.nv-inbox__popoverTrigger').waitFor();
  for (const name of ['A message', 'With a button', 'Urgent']) {
    await page.getByRole('button', { name, exact: true }).click();
    await page.getByRole('status').filter({ hasText: '1 accepted' }).waitFor();
  }
  await page.locator('.nv-inbox__popoverTrigger').click();
  await page.locator('.nv-notification').nth(2).waitFor();
  await page.evaluate('Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => undefined)))');
  await keep('inbox');
  await openConsole(page, herald, `/workflows/${workflow}`);
  await signIn(page, herald.apiKey);
  await page.locator('.flow > li').nth(1).getByRole('link', { name: 'Preview and test' }).click();
  await page.getByLabel('Payload').fill(JSON.stringify(PAYLOAD, undefined, 2));
  await page.getByLabel('Subscriber id').fill('margaret');
  await page.keyboard.press('Tab');
  await page.frameLocator('.mail-frame').frameLocator('iframe').getByText('Desk lamp').waitFor();
  await keep('mail');
} finally {
  await close();
  await herald.stop();
  await providers.close();
}

/** A message that arrives, one that the subscriber does not want, and one that a provider refuses. @returns the id of the workflow */
async function play(client) {
  const integration = (providerId, channel, credentials) =>
    client.integrations.createIntegration({ body: { providerId, channel, active: true, check: false, credentials } });
  await integration('postmark', 'email', { apiKey: 'k', from: 'shop@example.com', senderName: 'Shop' });
  await integration('twilio', 'sms', { accountSid: 'AC1', token: 'secret', from: '+15005550006' });
  const subscriber = {
    subscriberId: 'margaret',
    firstName: 'Margaret',
    lastName: 'Hamilton',
    email: 'margaret@example.com',
    phone: '+15005550009',
  };
  await client.subscribers.createSubscriber({ body: subscriber });
  const [group] = await client.notificationGroups.listNotificationGroups();
  const { _id } = await client.workflows.createWorkflow({
    body: {
      name: 'Order shipped',
      notificationGroupId: group._id,
      active: true,
      steps: [
        { template: { type: 'in_app', content: 'Order {{order.number}} is on its way.' } },
        {
          template: {
            type: 'email',
            subject: 'Order {{order.number}} is on its way',
            contentType: 'customHtml',
            content: MAIL,
          },
        },
        { template: { type: 'sms', content: 'Order {{order.number}} is on its way.' } },
      ],
    },
  });
  await client.preferences.updateWorkflowPreference({
    path: { subscriberId: 'margaret', levelOrWorkflowId: _id },
    body: { channel: { type: 'email', enabled: false } },
  });
  const { transactionId } = await client.events.triggerEvent({
    body: { name: 'order-shipped', to: 'margaret', payload: PAYLOAD },
  });
  const isDone = async () => {
    const [notification] = await client.notifications.listNotifications({ query: { transactionId } });
    return ['completed', 'failed'].includes(notification?.status);
  };
  for (const until = Date.now() + 20_000; Date.now() < until && !(await isDone());)
    await new Promise((resolve) => setTimeout(resolve, 200));
  return _id;
}
