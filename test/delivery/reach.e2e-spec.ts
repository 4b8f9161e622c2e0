import { addressKey, type AddressChannel } from '#libs/channels';
import { type SmtpCatcher, startSmtpCatcher } from '../../libs/channels/test/smtp-catcher.js';
import { dataOf, type Json } from '../support/answers.js';
import {
  createWorkflow,
  email,
  notificationOf,
  type SentEvent,
  smtpIntegration,
  trigger,
} from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { json, useProviderSink } from '../support/provider-sink.js';
import { PUBLIC_URL } from '../support/recipient-links.js';
import { useSession } from '../support/test-api.js';

type Place = (address: string) => Partial<SentEvent>;

let people = 0;
const somebody = (): { subscriberId: string; email: string; phone: string } => {
  people += 1;
  return { subscriberId: `somebody-${people}`, email: `somebody-${people}@example.com`, phone: `+1555020${people}` };
};

/** Everything in an event that says who gets a mail or a text message. What adds a place adds it here. */
const PLACES: Record<AddressChannel, Record<string, Place>> = {
  email: {
    'to.email': (address) => ({ to: { ...somebody(), email: address } }),
    'payload.email': (address) => ({ payload: { email: address } }),
    'overrides.email.toRecipient': (address) => ({ overrides: { email: { toRecipient: address } } }),
    ...Object.fromEntries(
      ['email', 'nodemailer'].flatMap((where) =>
        ['to', 'cc', 'bcc'].flatMap((list): [string, Place][] => [
          [`overrides.${where}.${list}`, (address) => ({ overrides: { [where]: { [list]: [address] } } })],
          [
            `overrides.${where}.${list} beside others`,
            (address) => ({
              overrides: { [where]: { [list]: ['other@example.com', address] } },
            }),
          ],
          [`overrides.${where}.${list} as a text`, (address) => ({ overrides: { [where]: { [list]: address } } })],
        ]),
      ),
    ),
  },
  sms: {
    'to.phone': (address) => ({ to: { ...somebody(), phone: address } }),
    'payload.phone': (address) => ({ payload: { phone: address } }),
    'overrides.sms.to': (address) => ({ overrides: { sms: { to: address } } }),
    'overrides.twilio.to': (address) => ({ overrides: { twilio: { to: address } } }),
  },
};

/** Ways to write the addresses that are suppressed below. The first one is suppressed. */
const FORMS: Record<AddressChannel, readonly (readonly string[])[]> = {
  email: [
    ['gone@example.com', 'Gone@Example.COM'],
    ['gone@münchen.example', 'gone@xn--mnchen-3ya.example', 'GONE@MÜNCHEN.example'],
  ],
  sms: [['+442079460018', '00442079460018', '442079460018', '+44 (0)20 7946-0018', '+44 020 7946 0018']],
};

/** Ways in which an address comes to be suppressed. */
const REASONS = ['bounce', 'complaint', 'manual'] as const;

describe.each(['email', 'sms'] as const)('who may be reached: %s', (channel) => {
  let catcher: SmtpCatcher;
  let reached: string[] = [];
  const sink = useProviderSink();
  const delivery = useDeliveryApi(`reach-${channel}`, () => ({ PUBLIC_URL, PROVIDER_BASE_URLS: `twilio=${sink.url}` }));
  const session = useSession(delivery.api);
  let name = '';

  beforeAll(async () => {
    catcher = await startSmtpCatcher({
      onRcptTo: ({ address }, _session, done) => {
        reached.push(address);
        done();
      },
      authOptional: true,
      onAuth: ({ username }, _session, done) => done(null, { user: username }),
    });
  });
  beforeEach(async () => {
    reached = [];
    catcher.mails.splice(0);
    if (channel === 'email') await smtpIntegration(session, catcher.port);
    else {
      const credentials = { accountSid: 'AC1', token: 't', from: '+15550100' };
      const twilio = { providerId: 'twilio', channel, active: true, check: false, credentials };
      await session.post('/v1/integrations', twilio).expect(201);
      sink.answer = (path, body, response) => {
        reached.push(new URLSearchParams(body).get('To') ?? '');
        json(201, { sid: `SM${reached.length}` })(path, body, response);
      };
    }
    const step = channel === 'email' ? email('Hi', '<p>Hello</p>') : { template: { type: 'sms', content: 'Hello' } };
    ({ identifier: name } = await createWorkflow(session, [step]));
  });
  afterAll(() => catcher.close());

  const keys = (): string[] => reached.map((address) => addressKey(channel, address));
  const suppress = (address: string, kind: string): Promise<unknown> =>
    dataOf(session.post('/v1/suppressions', { channel, address, kind, reason: 'Asked by phone' }), 201);

  const expectNobody = async (forms: readonly string[]): Promise<void> => {
    const cases = Object.entries(PLACES[channel]).flatMap(([place, of]) => forms.map((form) => ({ place, form, of })));
    const sent = new Map<string, string>();
    for (const { place, form, of } of cases) {
      sent.set(await trigger(session, { name, to: somebody(), ...of(form) }), `${place}: ${form}`);
    }
    await delivery.drain();
    expect(keys()).not.toContain(addressKey(channel, forms[0] ?? ''));
    const silent: string[] = [];
    for (const [id, place] of sent) {
      const { jobs } = await notificationOf(session, id);
      if (!JSON.stringify(jobs[0]?.executionDetails).includes('Asked by phone')) silent.push(place);
    }
    expect(silent).toEqual([]);
  };

  describe.each(REASONS)('an address after a suppression of the kind %s', (kind) => {
    it.each(FORMS[channel])(
      'should get nothing, wherever it is named and however it is written: %s',
      async (...forms) => {
        await suppress(forms[0] ?? '', kind);
        await expectNobody(forms);
      },
    );
  });

  it.each(FORMS[channel])('should hold for everybody when it is the address of a subscriber: %s', async (...forms) => {
    const field = channel === 'email' ? 'email' : 'phone';
    await session.post('/v1/subscribers', { subscriberId: 'owner', [field]: forms.at(-1) }).expect(201);
    const made = await dataOf<Json[]>(
      session.post('/v1/suppressions', { channel, subscriberId: 'owner', reason: 'Asked by phone' }),
      201,
    );
    expect(made).toHaveLength(1);
    await expectNobody(forms);
    // Whoever writes the address in another way has not got another one.
    await session.put('/v1/subscribers/owner', { [field]: forms[0] }).expect(200);
    await trigger(session, { name, to: 'owner' });
    await delivery.drain();
    expect(keys()).not.toContain(addressKey(channel, forms[0] ?? ''));
    await session.post(`/v1/suppressions/${String(made[0]?.['id'])}/lift`, { reason: 'Called again' }).expect(200);
    await trigger(session, { name, to: 'owner' });
    await delivery.drain();
    expect(keys()).toContain(addressKey(channel, forms[0] ?? ''));
  });

  if (channel === 'sms') {
    it('should text the number of the overrides in the place of a suppressed one, and record it', async () => {
      await suppress('+442079460018', 'manual');
      const to = { ...somebody(), phone: '+442079460018' };
      const id = await trigger(session, { name, to, overrides: { twilio: { to: '+1 (555) 010-0' } } });
      await delivery.drain();
      expect(reached).toEqual(['+15550100']);
      const messages = await dataOf<Json[]>(session.get(`/v1/messages?transactionId=${id}`), 200);
      expect(messages).toMatchObject([{ phone: '+1 (555) 010-0' }]);
    });

    it('should keep a number that its provider says has answered STOP', async () => {
      sink.answer = json(400, { code: 21610, message: 'Attempt to send to unsubscribed recipient' });
      await trigger(session, { name, to: { ...somebody(), phone: '+442079460018' } });
      await delivery.drain();
      const [listed] = await dataOf<Json[]>(session.get('/v1/suppressions?channel=sms'), 200);
      expect(listed).toMatchObject({ kind: 'bounce', address: '+442079460018' });
    });

    it('should not let custom data name another recipient', async () => {
      const customData = { To: '+442079460018', StatusCallback: 'https://example.com' };
      await trigger(session, { name, to: somebody(), overrides: { sms: { customData } } });
      await delivery.drain();
      expect(sink.requests[0]?.body).toContain('StatusCallback');
      expect(keys()).not.toContain('442079460018');
    });
    return;
  }

  it('should send to the others, and offer one click only to whom alone it concerns', async () => {
    await suppress('gone@example.com', 'complaint');
    const cc = ['gone@example.com', 'Carl <carl@example.com>'];
    const to = somebody();
    await trigger(session, { name, to, overrides: { email: { cc, replyTo: 'Team <team@example.com>' } } });
    await trigger(session, { name, to, overrides: { email: { cc: ['gone@example.com'] } } });
    await delivery.drain();
    expect(keys().sort()).toEqual(['carl@example.com', to.email, to.email]);
    const withCopy = catcher.mails.find(({ cc: copies }) => copies !== undefined);
    const alone = catcher.mails.find(({ cc: copies }) => copies === undefined);
    expect(withCopy?.headers.get('list')).toBeUndefined();
    expect(withCopy?.cc).toMatchObject({ value: [{ address: 'carl@example.com', name: 'Carl' }] });
    expect(withCopy?.replyTo).toMatchObject({ value: [{ address: 'team@example.com', name: 'Team' }] });
    expect(alone?.headers.get('list')).toHaveProperty('unsubscribe');
  });
});

describe('mailboxes that a mail server does not know', () => {
  let catcher: SmtpCatcher;
  let refusal = '';
  const delivery = useDeliveryApi('reach-unknown');
  const session = useSession(delivery.api);
  beforeAll(async () => {
    catcher = await startSmtpCatcher({
      onRcptTo: ({ address }, _session, done) => {
        const isGone = address.startsWith('gone');
        done(isGone ? Object.assign(new Error(refusal), { responseCode: 550 }) : undefined);
      },
      authOptional: true,
      onAuth: ({ username }, _session, done) => done(null, { user: username }),
    });
  });
  afterAll(() => catcher.close());

  const listedAfter = async (reply: string, overrides: SentEvent['overrides'] = {}): Promise<Json[]> => {
    refusal = reply;
    await smtpIntegration(session, catcher.port);
    const { identifier: name } = await createWorkflow(session, [email('Hi', '<p>Hello</p>')]);
    const to = { ...somebody(), ...(Object.keys(overrides ?? {}).length === 0 && { email: 'gone@example.com' }) };
    await trigger(session, { name, to, overrides });
    await delivery.drain();
    return dataOf<Json[]>(session.get('/v1/suppressions'), 200);
  };

  it.each(['5.1.1 no such user', '5.2.1 mailbox disabled', 'No such user here', 'User unknown'])(
    'should be suppressed after 550 %s',
    async (reply) => {
      expect(await listedAfter(reply)).toMatchObject([{ kind: 'bounce', address: 'gone@example.com' }]);
    },
  );

  it.each(['5.7.1 Message rejected as spam', '5.7.26 Unauthenticated', '5.2.2 Mailbox full', 'Access denied'])(
    'should not be suppressed after 550 %s',
    async (reply) => {
      expect(await listedAfter(reply)).toEqual([]);
    },
  );

  it('should be suppressed where a copy is refused and the mail is taken', async () => {
    expect(await listedAfter('5.1.1 no such user', { email: { cc: ['gone@example.com'] } })).toMatchObject([
      { kind: 'bounce', address: 'gone@example.com' },
    ]);
  });
});

describe('chats that are gone', () => {
  const sink = useProviderSink();
  const delivery = useDeliveryApi('reach-chats', () => ({ PROVIDER_BASE_URLS: `telegram=${sink.url}` }));
  const session = useSession(delivery.api);
  const GONE = {
    discord: { status: 404, answer: { code: 10015, message: 'Unknown Webhook' }, key: 'webhookUrl' },
    slack: { status: 404, answer: 'no_service', key: 'webhookUrl' },
    msteams: { status: 404, answer: { error: { code: 'WorkflowNotFound', message: 'gone' } }, key: 'webhookUrl' },
    telegram: {
      status: 403,
      answer: { ok: false, description: 'Forbidden: bot was blocked by the user' },
      key: 'channel',
    },
  } as const;

  describe.each(['discord', 'slack', 'msteams', 'telegram'] as const)('at %s', (providerId) => {
    const { status, answer, key } = GONE[providerId];
    const chat = async (payload: Json = {}): Promise<Json[]> => {
      const secrets = {
        discord: {},
        msteams: {},
        slack: {},
        telegram: { apiToken: '1:x' },
      };
      const integration = { providerId, channel: 'chat', active: true, check: false, credentials: secrets[providerId] };
      await session.post('/v1/integrations', integration).expect(201);
      const own = { webhookUrl: { webhookUrl: `${sink.url}/own` }, channel: { channel: '42' } }[key];
      await session.post('/v1/subscribers', { subscriberId: 'ann' }).expect(201);
      await session.put('/v1/subscribers/ann/credentials', { providerId, credentials: own }).expect(200);
      const { identifier: name } = await createWorkflow(session, [{ template: { type: 'chat', content: 'Hi' } }]);
      sink.answer = (_path, _body, response) =>
        void response.writeHead(status).end(typeof answer === 'string' ? answer : JSON.stringify(answer));
      for (let time = 0; time < 2; time++) {
        await trigger(session, { name, to: 'ann', payload });
        await delivery.drain();
      }
      return (await dataOf<{ channels: Json[] }>(session.get('/v1/subscribers/ann'), 200)).channels;
    };

    it('should be taken from the subscriber, who has the entry still', async () => {
      expect(await chat()).toMatchObject([{ providerId, credentials: {} }]);
      expect(sink.requests).toHaveLength(1);
    });

    if (key === 'webhookUrl') {
      it('should leave what the subscriber has when an event names another one', async () => {
        const [entry] = await chat({ webhookUrl: `${sink.url}/other` });
        expect(entry).toMatchObject({ credentials: { webhookUrl: `${sink.url}/own` } });
        expect(sink.requests).toHaveLength(2);
      });
    }
  });
});
