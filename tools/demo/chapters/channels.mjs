import { PUSH_PATH, DISCORD_PATH } from '../catchers/http.mjs';

const REFUSED =
  'Chat and push are skipped: this Herald calls public addresses only (ALLOW_PRIVATE_URLS=1 changes that).';

/** The same notification by mail, chat and push. */
export const channels = {
  title: 'Every channel',
  about: 'One trigger, three messages. Catchers on this machine stand in for the mail server, Discord and the devices.',
  async tell(demo, told) {
    const trigger = await createWorkflow(demo.call, told);
    const since = performance.now();
    const { transactionId } = await demo.call({
      title: 'An invoice is paid.',
      method: 'POST',
      path: '/v1/events/trigger',
      body: {
        name: trigger,
        to: told.subscriberId,
        payload: { invoice: { number: 'F-7', total: '£ 12.50' } },
        overrides: { email: { integrationIdentifier: told.mail } },
        transactionId: `invoice-7-${told.run}`,
      },
      status: 201,
      expect: { acknowledged: true, status: 'processed' },
      show: ['acknowledged', 'status', 'transactionId'],
    });
    told.invoice = { transactionId, sent: ['email'] };
    await readMail(demo, told, since);
    await readWebhooks(demo, told, since);
  },
};

async function createWorkflow(call, told) {
  const workflow = await call({
    section: '4.4',
    title: 'A workflow with three steps.',
    method: 'POST',
    path: '/v1/workflows',
    body: {
      name: `Invoice paid ${told.run}`,
      notificationGroupId: told.group,
      active: true,
      steps: [
        {
          template: {
            type: 'email',
            subject: 'Invoice {{invoice.number}} is paid',
            contentType: 'customHtml',
            content: '<p>Thank you, {{subscriber.firstName}}. We have got <b>{{invoice.total}}</b>.</p>',
          },
        },
        { template: { type: 'chat', content: '{{subscriber.firstName}} has paid {{invoice.total}}.' } },
        { template: { type: 'push', title: 'Thank you', content: 'Invoice {{invoice.number}} is paid.' } },
      ],
    },
    status: 201,
    expect: { active: true, 'steps.length': 3 },
    show: ['_id', 'triggers'],
  });
  return workflow.triggers[0].identifier;
}

function readMail({ arrived }, told, since) {
  return arrived({
    title: "The mail that is in Ada's mailbox.",
    at: told.catchers.mail,
    match: ({ subject }) => subject === 'Invoice F-7 is paid',
    since,
    expect: {
      from: '"Herald" <herald@example.com>',
      to: 'ada@example.com',
      text: 'Thank you, Ada. We have got £ 12.50.',
    },
    show: ['subject', 'from', 'to', 'text'],
  });
}

async function readWebhooks({ arrived, read }, told, since) {
  const at = told.catchers.http;
  const refusal = told.mayRefuse ? () => refusalOf(read, told) : undefined;
  const chat = await arrived({
    title: 'What Discord got.',
    at,
    match: ({ path }) => path === DISCORD_PATH,
    since,
    expect: { body: { content: 'Ada has paid £ 12.50.' } },
    show: ['path', 'body'],
    refusal,
  });
  if (chat === undefined) return;
  await arrived({
    title: "What Ada's laptop got. The signature is right.",
    at,
    match: ({ path }) => path === PUSH_PATH,
    since,
    expect: {
      'body.target': ['laptop-of-ada'],
      'body.title': 'Thank you',
      'body.content': 'Invoice F-7 is paid.',
      'body.payload.invoice.number': 'F-7',
      'body.payload.subscriber.firstName': 'Ada',
    },
    show: ['path', 'body'],
    refusal,
  });
  told.invoice.sent.push('chat', 'push');
}

/** The reason why a running Herald does not call this machine, as its trail has it. */
async function refusalOf(read, { invoice, subscriberId }) {
  const [notification] = await read(`/v1/notifications?transactionId=${invoice.transactionId}`);
  if (notification === undefined) return undefined;
  const details = await read(`/v1/execution-details?notificationId=${notification._id}&subscriberId=${subscriberId}`);
  const refused = details.some(({ raw }) => JSON.stringify(raw ?? '').includes('is not a public address'));
  return refused ? REFUSED : undefined;
}
