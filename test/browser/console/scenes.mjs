import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

const FROM = { from: 'shop@herald.example', senderName: 'The shop' };
const ENDS_WITHIN_MS = 30_000;

/** Runs code wherever it is taken for markup. */
export const HOSTILE = `"><img src=x onerror="window.broken=1"><script>window.broken=1</script>`;

const HOSTILE_MAIL = `<style>p { color: rgb(1, 2, 3) }</style>
<p id="mail-text" style="font-weight: 700">Order {{order}}</p>
</body></html><script>window.top.broken = 1</script><script>parent.broken = 1</script>
<link rel="preconnect" href="https://tracker.example"><link rel="dns-prefetch" href="https://name.tracker.example">
<iframe srcdoc="&lt;link rel=preconnect href=https://nested.tracker.example>"></iframe>
<img src="https://tracker.example/open.gif" onerror="top.broken=1">
<svg onload="top.broken=1"></svg><iframe srcdoc="<script>top.broken=1</script>"></iframe>
<form action="https://phish.example" target="_top"><button>Win</button></form>
<meta http-equiv="refresh" content="0;url=https://phish.example"><base href="https://phish.example/">
<a href="javascript:top.broken=1" target="_top">Click</a> <a id="leave" href="https://pressed.example" target="_top">Leave</a>`;

const email = (content, more = {}) => ({
  template: { type: 'email', subject: 'Order {{order}}', contentType: 'customHtml', content, ...more.template },
  ...more.step,
});
const sms = (content) => ({ template: { type: 'sms', content } });
const overHundred = [
  {
    isNegated: false,
    type: 'GROUP',
    value: 'AND',
    children: [{ field: 'total', value: '100', operator: 'LARGER', on: 'payload' }],
  },
];

/**
 * One message for each reason because of which somebody does not get it, one that arrives, and hostile ones.
 * @param {{ url: string, client: import('@herald/client').Herald }} herald
 * @param providers as `startProviders` returns them
 * @returns workflow ids by name, and what the tests need to mend
 */
export async function playScenes(herald, providers) {
  const { client } = herald;
  const workflows = await setUp(client);
  const trigger = (workflow, transactionId, to, more = {}) =>
    client.events.triggerEvent({
      body: {
        name: workflows.identifiers[workflow],
        to: { subscriberId: to, email: `${to}@example.com`, phone: '+15550111' },
        payload: { order: transactionId, total: 20 },
        transactionId,
        ...more,
      },
    });

  providers.answers.twilio = ({ To: to, Body: body }) => {
    if (to === '+15550999')
      return [400, { code: 21211, message: "The 'To' number +15550999 is not a valid phone number.", status: 400 }];
    if (body.includes('outage')) return [503, { message: 'Service is down for maintenance' }];
    if (body.includes('cut')) return 'cut';
    return [201, { sid: `SM${Math.random().toString(16).slice(2)}`, status: 'queued' }];
  };
  await trigger('order-text', 'no-integration', 'gil');
  await settled(client, ['no-integration']);
  const twilio = { accountSid: 'AC1', token: 'secret-token', from: '+15550100' };
  await client.integrations.createIntegration({
    body: { active: true, check: false, providerId: 'twilio', channel: 'sms', credentials: twilio },
  });
  await trigger('order-shipped', 'arrives', 'ada');
  await trigger('order-text', 'wrong-number', 'bob', { to: { subscriberId: 'bob', phone: '+15550999' } });
  await trigger('order-text', 'outage', 'cleo');
  await trigger('order-text', 'cut', 'dan');
  await client.subscribers.createSubscriber({ body: { subscriberId: 'eve', email: 'eve@example.com' } });
  await client.preferences.updateWorkflowPreference({
    path: { subscriberId: 'eve', levelOrWorkflowId: workflows['order-shipped'] },
    body: { channel: { type: 'email', enabled: false } },
  });
  await trigger('order-shipped', 'preference', 'eve');
  await trigger('order-large', 'condition', 'finn');
  await trigger('order-push', 'no-channel', 'gil');
  await trigger('order-off', 'inactive', 'hana');
  const { _id: tenantId } = await client.tenants.createTenant({ body: { identifier: 'acme', name: 'Acme' } });
  const override = (workflow, body) =>
    client.workflowOverrides.createWorkflowOverride({ body: { workflowId: workflows[workflow], tenantId, ...body } });
  await override('order-shipped', { active: false });
  await trigger('order-shipped', 'override', 'ida', { tenant: 'acme' });
  await override('order-large', {
    active: true,
    preferenceSettings: { email: false, sms: true, in_app: true, chat: true, push: true },
  });
  await trigger('order-large', 'override-channel', 'jo', { tenant: 'acme', payload: { order: 'o', total: 200 } });
  await trigger('order-later', 'waiting', 'kim');
  await trigger('order-hostile', 'hostile', 'mallory', {
    to: { subscriberId: 'mallory', email: 'mallory@example.com', firstName: HOSTILE, lastName: HOSTILE },
    payload: { order: HOSTILE, [HOSTILE]: HOSTILE },
  });
  await settled(client, ['arrives', 'wrong-number', 'outage', 'cut', 'no-integration', 'hostile']);
  await bounce(herald, workflows.postmark, providers);
  await trigger('order-shipped', 'dead-address', 'ada');
  await settled(client, ['dead-address']);
  return { client, workflows, trigger };
}

async function setUp(client) {
  const [group] = await client.notificationGroups.listNotificationGroups();
  const credentials = { ...FROM, apiKey: 'k', callbackSecret: 'user:password' };
  const { _id } = await client.integrations.createIntegration({
    body: { active: true, check: false, providerId: 'postmark', channel: 'email', credentials },
  });
  const mail = '<h1 style="color:#0b6b5d">Order {{order}}</h1><p>Your parcel is on its way.</p>';
  const delay = { template: { type: 'delay', content: '' }, metadata: { type: 'regular', amount: 2, unit: 'days' } };
  const steps = {
    'order-shipped': [{ template: { type: 'in_app', content: 'Order {{order}} is on its way.' } }, email(mail)],
    'order-text': [sms('Order {{order}} is on its way.')],
    'order-large': [email(mail, { step: { filters: overHundred } })],
    'order-push': [{ template: { type: 'push', title: 'Order', content: 'Order {{order}}' } }],
    'order-off': [email(mail)],
    'order-later': [delay, email(mail)],
    'order-hostile': [email(HOSTILE_MAIL), { template: { type: 'in_app', content: '{{{order}}}' } }],
  };
  const names = { 'order-hostile': `Order ${HOSTILE}` };
  const ids = { postmark: _id, identifiers: {} };
  for (const [identifier, list] of Object.entries(steps)) {
    const { _id: id, triggers } = await client.workflows.createWorkflow({
      body: {
        name: names[identifier] ?? identifier.replace('order-', 'Order ').replace('-', ' '),
        notificationGroupId: group._id,
        active: identifier !== 'order-off',
        steps: list,
      },
    });
    ids[identifier] = id;
    ids.identifiers[identifier] = triggers[0].identifier;
  }
  return ids;
}

/** Postmark reports that the mail of `arrives` was delivered, then that the address is gone. */
async function bounce({ url, client }, integrationId, { sent }) {
  const id = sent.findIndex(({ provider, to }) => provider === 'postmark' && to.includes('ada@')) + 1;
  assert.ok(id > 0, 'the mail to ada was not sent');
  const query = { channel: 'email', subscriberId: 'ada' };
  const [{ identifier }] = await client.messages.listMessages({ query });
  const now = new Date().toISOString();
  const report = (event) =>
    fetch(`${url}/v1/provider-callbacks/${integrationId}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Basic ${Buffer.from('user:password').toString('base64')}`,
      },
      body: JSON.stringify({ MessageID: identifier, ...event }),
    });
  const opened = await report({ RecordType: 'Open', ReceivedAt: now });
  const bounced = await report({
    RecordType: 'Bounce',
    Type: 'HardBounce',
    TypeCode: 1,
    Description: 'The server was unable to deliver your message (ex: unknown user, mailbox not found).',
    Details: '550 5.1.1 no such user',
    Email: 'ada@example.com',
    BouncedAt: now,
  });
  assert.deepEqual([opened.status, bounced.status], [200, 200], await bounced.text());
}

/** Waits until the notifications of transactions have ended. */
export async function settled(client, transactionIds) {
  const end = Date.now() + ENDS_WITHIN_MS;
  for (const transactionId of transactionIds) {
    for (;;) {
      const [found] = await client.notifications.listNotifications({ query: { transactionId } });
      if (found !== undefined && found.status !== 'active') break;
      assert.ok(Date.now() < end, `${transactionId} has not ended`);
      await sleep(100);
    }
  }
}
