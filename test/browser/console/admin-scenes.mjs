import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { HOSTILE, settled } from './scenes.mjs';

const ENDS_WITHIN_MS = 30_000;

/** A receiver of webhooks; tests decide what it answers. */
export async function startReceiver() {
  const received = [];
  const receiver = { status: 500, received };
  const server = createServer((request, response) => {
    request.resume();
    received.push(request.headers['webhook-id']);
    response.writeHead(receiver.status).end('no');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  receiver.url = `http://127.0.0.1:${server.address().port}/hook`;
  receiver.close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return receiver;
}

const condition = (field, operator, value, on = 'payload') => [
  { isNegated: false, type: 'GROUP', value: 'AND', children: [{ field, operator, value, on }] },
];

const RECEIPT = `<h1>Thank you, {{subscriber.firstName}}</h1>
<p>Order {{order.id}}: {{order.total}}</p>
<ul>{{#each order.items}}<li>{{name}}</li>{{/each}}</ul>`;

const BREAK_OUT = `<p id="mail-text">{{text}}</p></body></html><script>top.broken = 1</script>
<link rel="preconnect" href="https://tracker.example"><link rel="dns-prefetch" href="https://name.tracker.example">
<iframe srcdoc="&lt;link rel=preconnect href=https://nested.tracker.example>"></iframe>
<img src="https://tracker.example/open.gif" onerror="top.broken=1"><svg onload="top.broken=1"></svg>
<form action="https://phish.example" target="_top"><button id="win">Win</button></form>
<a href="https://pressed.example" target="_top" id="leave">Leave</a><base href="https://phish.example/">`;

function stepsOf() {
  return {
    Receipt: [
      {
        name: 'Note',
        template: { type: 'in_app', content: 'Thank you for order {{order.id}}, <b>{{subscriber.firstName}}</b>.' },
      },
      {
        template: { type: 'digest' },
        metadata: { type: 'regular', amount: 10, unit: 'minutes', digestKey: 'order.id' },
      },
      {
        name: 'Receipt',
        filters: condition('order.total', 'LARGER', '100'),
        template: { type: 'email', subject: 'Order {{order.id}}', contentType: 'customHtml', content: RECEIPT },
        variants: [
          {
            name: 'For professionals',
            filters: condition('data.plan', 'EQUAL', 'pro', 'subscriber'),
            template: {
              type: 'email',
              subject: 'Pro {{order.id}}',
              contentType: 'customHtml',
              content: `<p>Pro</p>${RECEIPT}`,
            },
          },
        ],
      },
      { template: { type: 'delay' }, metadata: { type: 'regular', amount: 2, unit: 'days' } },
      {
        name: 'Reminder',
        shouldStopOnFail: true,
        template: { type: 'sms', content: 'Please rate order {{order.id}}.' },
      },
    ],
    [`Hostile ${HOSTILE}`]: [
      {
        name: HOSTILE,
        template: { type: 'email', subject: 'Hi {{text}}', contentType: 'customHtml', content: BREAK_OUT },
      },
      { name: HOSTILE, template: { type: 'in_app', content: '{{{text}}}' } },
    ],
    Newsletter: [{ active: false, template: { type: 'push', title: 'News', content: 'News' } }],
  };
}

/**
 * Workflows, people, integrations, keys and webhooks for the pages that show them.
 * @param {{ client: import('@herald/client').Herald }} herald a Herald whose providers are those of `startProviders`
 * @param receiver as `startReceiver` returns it
 */
export async function setUpAdmin(herald, receiver) {
  const { client } = herald;
  const [group] = await client.notificationGroups.listNotificationGroups();
  const webhook = await client.webhooks.createWebhook({
    body: {
      url: receiver.url,
      description: HOSTILE,
      events: ['message.sent', 'message.failed', 'message.read'],
    },
  });
  const integrations = await makeIntegrations(client);
  const workflows = {};
  for (const [name, steps] of Object.entries(stepsOf())) {
    const body = {
      name,
      notificationGroupId: group._id,
      active: name !== 'Newsletter',
      tags: ['orders', HOSTILE],
      steps,
    };
    workflows[name.split(' ')[0]] = await client.workflows.createWorkflow({ body });
  }
  const subscribe = (body) => client.subscribers.createSubscriber({ body });
  await subscribe({
    subscriberId: 'pia',
    firstName: 'Pia',
    lastName: 'Berg',
    email: 'pia@example.com',
    phone: '+15550142',
    locale: 'de-CH',
    data: { plan: 'pro' },
  });
  await subscribe({ subscriberId: 'quin', firstName: 'Quin', email: 'quin@example.com' });
  await subscribe({ subscriberId: 'a/b%2Fc', firstName: HOSTILE, lastName: HOSTILE, data: { [HOSTILE]: HOSTILE } });
  await client.preferences.updateWorkflowPreference({
    path: { subscriberId: 'quin', levelOrWorkflowId: workflows.Receipt._id },
    body: { channel: { type: 'in_app', enabled: false } },
  });
  const payload = { order: { id: '4711', total: 120, items: [{ name: 'Lamp' }] } };
  const name = workflows.Hostile.triggers[0].identifier;
  await client.events.triggerEvent({
    body: { name, to: 'pia', payload: { text: HOSTILE }, transactionId: 'admin-hostile' },
  });
  await settled(client, ['admin-hostile']);
  await untilFailed(client, webhook._id);
  return { client, workflows, webhook, integrations, payload };
}

async function makeIntegrations({ integrations }) {
  const from = { from: 'shop@herald.example', senderName: 'The shop' };
  const make = (body) => integrations.createIntegration({ body: { active: true, check: false, ...body } });
  const postmark = await make({
    providerId: 'postmark',
    channel: 'email',
    name: 'Mail',
    credentials: { ...from, apiKey: 'k-secret-9' },
  });
  const smtp = await make({
    providerId: 'nodemailer',
    channel: 'email',
    name: `Own server ${HOSTILE}`,
    credentials: { ...from, host: '127.0.0.1', port: '1', user: 'ann', password: 'p-secret-9' },
    conditions: [{ value: 'AND', children: [{ on: 'tenant', field: 'identifier', operator: 'EQUAL', value: 'acme' }] }],
  });
  const discord = await make({ providerId: 'discord', channel: 'chat', name: 'Discord', credentials: {} });
  return { postmark, smtp, discord };
}

/** Waits until a delivery of a webhook has failed for good. */
async function untilFailed(client, webhookId) {
  const end = Date.now() + ENDS_WITHIN_MS;
  for (;;) {
    const failed = await client.webhooks.listWebhookDeliveries({ path: { webhookId }, query: { status: 'failed' } });
    if (failed.length > 0) return;
    assert.ok(Date.now() < end, 'no delivery of the webhook has failed');
    await sleep(200);
  }
}
