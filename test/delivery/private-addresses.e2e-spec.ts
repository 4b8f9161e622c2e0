import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { createWorkflow, notificationOf, type SentRecipient, trigger } from '../support/delivery.js';
import { type DeliveryApi, startDeliveryApi, useDeliveryApi } from '../support/delivery-api.js';
import { useSession } from '../support/test-api.js';

type RecipientChannel = NonNullable<SentRecipient['channels']>[number];

/** A place where a user can give a URL that messages go to. */
interface Door {
  channel: 'email' | 'sms' | 'chat' | 'push';
  providerId: string;
  /** Credentials of the integration. */
  credentials: (url: string) => object;
  /** Credentials of the subscriber. */
  own?: (url: string) => RecipientChannel['credentials'];
  payload?: (url: string) => Record<string, unknown>;
}

const SENDER = { from: 'a@b.example', senderName: 'A' };
const NOTHING = (): object => ({});
const hook = (webhookUrl: string): RecipientChannel['credentials'] => ({ webhookUrl, channel: 'room' });
const hostOf = (url: string): string => new URL(url).hostname;

const DOORS: Record<string, Door> = {
  'slack webhook': { channel: 'chat', providerId: 'slack', credentials: NOTHING, own: hook },
  'discord webhook': { channel: 'chat', providerId: 'discord', credentials: NOTHING, own: hook },
  'msteams webhook': { channel: 'chat', providerId: 'msteams', credentials: NOTHING, own: hook },
  'rocket-chat server': {
    channel: 'chat',
    providerId: 'rocket-chat',
    credentials: () => ({ token: 't', user: 'u' }),
    own: hook,
  },
  'webhook in the payload': {
    channel: 'chat',
    providerId: 'mattermost',
    credentials: NOTHING,
    own: () => hook('https://chat.invalid/'),
    payload: (webhookUrl) => ({ webhookUrl }),
  },
  'push webhook': {
    channel: 'push',
    providerId: 'push-webhook',
    credentials: (webhookUrl) => ({ webhookUrl, secretKey: 'secret' }),
    own: () => ({ deviceTokens: ['t'] }),
  },
  'email webhook': {
    channel: 'email',
    providerId: 'email-webhook',
    credentials: (webhookUrl) => ({ ...SENDER, webhookUrl, secretKey: 'secret' }),
  },
  'base URL of mailgun': {
    channel: 'email',
    providerId: 'mailgun',
    credentials: (baseUrl) => ({ ...SENDER, baseUrl, apiKey: 'k', user: 'api', domain: 'd.example' }),
  },
  'base URL of infobip': {
    channel: 'sms',
    providerId: 'infobip-sms',
    credentials: (baseUrl) => ({ baseUrl, apiKey: 'k', from: 'A' }),
  },
  'base URL of generic-sms': {
    channel: 'sms',
    providerId: 'generic-sms',
    credentials: (baseUrl) => ({ baseUrl, apiKeyRequestHeader: 'x', apiKey: 'k', idPath: 'id', from: 'A' }),
  },
  'token URL of generic-sms': {
    channel: 'sms',
    providerId: 'generic-sms',
    credentials: (domain) => ({
      baseUrl: 'https://sms.invalid/',
      domain,
      apiKeyRequestHeader: 'x',
      apiKey: 'k',
      idPath: 'id',
      from: 'A',
      authenticateByToken: true,
      authenticationTokenKey: 'token',
    }),
  },
  'host of kannel': {
    channel: 'sms',
    providerId: 'kannel',
    credentials: (url) => ({ host: hostOf(url), port: new URL(url).port, from: 'A' }),
  },
  'host of SMTP': {
    channel: 'email',
    providerId: 'nodemailer',
    credentials: (url) => ({ ...SENDER, host: hostOf(url).replace(/^\[|\]$/g, ''), port: new URL(url).port }),
  },
  'host of outlook365': {
    channel: 'email',
    providerId: 'outlook365',
    credentials: (url) => ({ ...SENDER, host: hostOf(url), port: new URL(url).port, password: 'p' }),
  },
  'endpoint of azure-sms': {
    channel: 'sms',
    providerId: 'azure-sms',
    credentials: (url) => ({ accessKey: `endpoint=${url};accesskey=a2V5`, from: '+1' }),
  },
};

const NOTATIONS = ['127.0.0.1', '2130706433', '0x7f.1', '017700000001', 'localhost', '[::1]', '[::ffff:7f00:1]'];

describe('private addresses', () => {
  const delivery = useDeliveryApi('private', { ALLOW_PRIVATE_URLS: '0', DELIVERY_MAX_ATTEMPTS: '1' });
  const session = useSession(delivery.api);
  const servers: Server[] = [];
  let port = 0;
  let connections = 0;

  beforeAll(async () => {
    const listen = (host: string): Promise<void> =>
      new Promise((resolve, reject) => {
        const server = createServer((socket) => {
          connections += 1;
          socket.destroy();
        });
        server.once('error', reject);
        server.listen(port, host, () => {
          port = (server.address() as AddressInfo).port;
          servers.push(server);
          resolve();
        });
      });
    await listen('127.0.0.1');
    // Where the machine has no IPv6 there is nobody to be reached either.
    await listen('::1').catch(() => undefined);
  });
  beforeEach(() => {
    connections = 0;
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  });

  describe.each(Object.entries(DOORS))('by the %s', (_name, { channel, providerId, credentials, own, payload }) => {
    it.each(NOTATIONS)('should not be reached as %s', async (host) => {
      const url = `http://${host}:${port}/x`;
      const integration = { providerId, channel, credentials: credentials(url), active: true, check: false };
      await session.post('/v1/integrations', integration).expect(201);
      const content = { email: { subject: 'S', contentType: 'customHtml' }, push: { title: 'T' }, sms: {}, chat: {} };
      const { identifier } = await createWorkflow(session, [
        { template: { type: channel, content: 'Hello', ...content[channel] } },
      ]);
      const transactionId = await trigger(session, {
        name: identifier,
        to: {
          subscriberId: 'ann',
          email: 'ann@example.com',
          phone: '+15550100',
          // Only chat and push have credentials of the subscriber.
          ...(own && {
            channels: [{ providerId: providerId as RecipientChannel['providerId'], credentials: own(url) }],
          }),
        },
        ...(payload && { payload: payload(url) }),
      });
      await delivery.drain();
      expect(connections).toBe(0);
      const { jobs } = await notificationOf(session, transactionId);
      expect(jobs).toMatchObject([{ status: 'failed', reason: 'provider' }]);
      expect(JSON.stringify(jobs)).toContain('not a public address');
    });
  });

  it('should not be reached by the live check of an integration', async () => {
    for (const host of NOTATIONS) {
      const { credentials } = DOORS['base URL of mailgun'] as Door;
      const body = { providerId: 'mailgun', channel: 'email', active: true, check: true };
      const { text } = await session
        .post('/v1/integrations', { ...body, credentials: credentials(`http://${host}:${port}`) })
        .expect(400);
      expect(text).toContain('not a public address');
    }
    expect(connections).toBe(0);
  });

  it('should not be reached by the live check of an SMTP server', async () => {
    for (const host of [...NOTATIONS, '169.254.169.254', '10.0.0.1'].map((one) => one.replace(/^\[|\]$/g, ''))) {
      const credentials = { ...SENDER, host, port: String(port) };
      const body = { providerId: 'nodemailer', channel: 'email', active: true, check: true, credentials };
      const { text } = await session.post('/v1/integrations', body).expect(400);
      expect(text).toContain('not a public address');
    }
    expect(connections).toBe(0);
  });

  describe('that the operator has listed', () => {
    let listed: DeliveryApi;
    beforeAll(async () => {
      const settings = { ALLOW_PRIVATE_URLS: '0', PRIVATE_HOSTS: 'localhost', DELIVERY_MAX_ATTEMPTS: '1' };
      listed = await startDeliveryApi('listed', settings);
    });
    afterAll(() => listed.api.close());

    it('should be reached by that name alone, over HTTP and SMTP', async () => {
      const caller = await listed.api.session();
      const check = async (providerId: string, credentials: object): Promise<string> => {
        const body = { providerId, channel: 'email', active: true, check: true, credentials };
        return (await caller.post('/v1/integrations', body).expect(400)).text;
      };
      const mailgun = (host: string): object =>
        DOORS['base URL of mailgun']?.credentials(`http://${host}:${port}`) ?? {};
      const smtp = (host: string): object => ({ ...SENDER, host, port: String(port) });
      expect(await check('mailgun', mailgun('127.0.0.1'))).toContain('not a public address');
      expect(await check('nodemailer', smtp('127.0.0.1'))).toContain('not a public address');
      expect(connections).toBe(0);
      expect(await check('mailgun', mailgun('localhost'))).not.toContain('not a public address');
      const overHttp = connections;
      expect(overHttp).toBeGreaterThan(0);
      expect(await check('nodemailer', smtp('localhost'))).not.toContain('not a public address');
      expect(connections).toBeGreaterThan(overHttp);
    });
  });

  it('should not be reached by the webhook of a condition', async () => {
    for (const host of NOTATIONS) {
      const webhookUrl = `http://${host}:${port}/x`;
      const child = { on: 'webhook', operator: 'EQUAL', field: 'ok', value: 'true', webhookUrl };
      const { identifier } = await createWorkflow(session, [
        {
          template: { type: 'in_app', content: 'Hello' },
          filters: [{ isNegated: false, type: 'GROUP', value: 'AND', children: [child] }],
        },
      ]);
      await trigger(session, { name: identifier, to: 'ann' });
    }
    await delivery.drain(600_000);
    expect(connections).toBe(0);
  });
});
