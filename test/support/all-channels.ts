import type { TestSession } from '../harness/index.js';
import { startRecordingServer } from '../../libs/channels/test/recording-server.js';
import { startSmtpCatcher } from '../../libs/channels/test/smtp-catcher.js';
import { email, inApp, type SentRecipient, type SentStep, smtpIntegration } from './delivery.js';

/** Servers of this process that take what is sent on every channel. */
export interface AllChannels {
  /** Gives an environment an integration for each channel that needs one. */
  integrate(session: TestSession): Promise<void>;
  /** A recipient with an address on every channel. */
  recipient(subscriberId: string): SentRecipient;
  /** One step for each channel. */
  readonly steps: SentStep[];
  /** After the application, which closes its connections. */
  close(): Promise<void>;
}

export async function startAllChannels(): Promise<AllChannels> {
  const [http, smtp] = await Promise.all([
    startRecordingServer(),
    startSmtpCatcher({ onAuth: (_auth, _session, done) => done(null, { user: 'user' }) }),
  ]);
  http.answer = () => ({ body: { id: 'provider-1' } });
  const sms = { baseUrl: `${http.url}/sms`, apiKeyRequestHeader: 'x-key', apiKey: 'key', idPath: 'id', from: '+1' };
  const integrations = [
    { providerId: 'generic-sms', channel: 'sms', credentials: sms },
    // A limit that nothing reaches: its times come from the store.
    { providerId: 'mattermost', channel: 'chat', credentials: {}, messagesPerSecond: 10_000 },
    {
      providerId: 'push-webhook',
      channel: 'push',
      credentials: { webhookUrl: `${http.url}/push`, secretKey: 'secret' },
    },
  ];
  return {
    integrate: async (session) => {
      await smtpIntegration(session, smtp.port);
      for (const integration of integrations) {
        await session.post('/v1/integrations', { ...integration, active: true }).expect(201);
      }
    },
    recipient: (subscriberId) => ({
      subscriberId,
      firstName: 'Ada',
      email: 'ada@example.com',
      phone: '+15551230100',
      channels: [
        { providerId: 'mattermost', credentials: { webhookUrl: `${http.url}/chat` } },
        { providerId: 'push-webhook', credentials: { deviceTokens: ['token-1'] } },
      ],
    }),
    steps: [
      inApp('Order {{order}}'),
      email('Order {{order}}', '<p>On its way</p>'),
      { template: { type: 'sms', content: 'Order {{order}}' } },
      { template: { type: 'chat', content: 'Order {{order}}' } },
      { template: { type: 'push', title: 'Order', content: 'Order {{order}}' } },
    ],
    close: async () => {
      await Promise.all([http.close(), smtp.close()]);
    },
  };
}
