import { createChannelRegistry } from '../create-channel-registry.js';
import { createOutboundHttp } from '../http/outbound-http.js';
import { ChannelRegistry } from './channel-registry.js';
import type { SmsMessage } from './messages.js';
import { ProviderError } from '../errors/provider-error.js';
import type { ChannelProvider, SendContext, SendResult } from './provider.js';

const message: SmsMessage = { channel: 'sms', id: 'm1', to: '+4915112345678', content: 'Hello' };
const options = { credentials: { apiKey: 'very-secret' }, idempotencyKey: 'm1' };

class FakeProvider implements ChannelProvider {
  readonly id = 'fake';
  readonly channel = 'sms';
  inits = 0;
  destroyed = false;
  constructor(private readonly behaviour: (context: SendContext) => Promise<SendResult>) {}
  init(): Promise<void> {
    this.inits += 1;
    return Promise.resolve();
  }
  destroy(): Promise<void> {
    this.destroyed = true;
    return Promise.resolve();
  }
  send(_message: unknown, context: SendContext): Promise<SendResult> {
    return this.behaviour(context);
  }
}

function registryWith(
  provider: ChannelProvider,
  more: { baseUrls?: Record<string, string>; now?: () => Date } = {},
): ChannelRegistry {
  const registry = new ChannelRegistry({
    http: createOutboundHttp({ allowPrivateUrls: false }),
    timeoutMs: 1_000,
    ...more,
  });
  registry.register(provider);
  return registry;
}

describe('ChannelRegistry', () => {
  describe('register', () => {
    it('should refuse a second provider with the same id in a channel', () => {
      const provider = new FakeProvider(() => Promise.resolve({}));
      expect(() => registryWith(provider).register(provider)).toThrow(/already has a provider 'fake'/);
    });
  });

  describe('send', () => {
    it('should hand the provider everything it needs', async () => {
      const seen: SendContext[] = [];
      const now = (): Date => new Date(5);
      const provider = new FakeProvider((context) => {
        seen.push(context);
        return Promise.resolve({ id: 'x1' });
      });
      const registry = registryWith(provider, { baseUrls: { fake: 'http://127.0.0.1:1' }, now });
      await expect(registry.send('sms', 'fake', message, options)).resolves.toEqual({ id: 'x1' });
      expect(seen[0]).toMatchObject({ ...options, baseUrl: 'http://127.0.0.1:1' });
      expect(seen[0]?.now()).toEqual(new Date(5));
      expect(seen[0]?.signal.aborted).toBe(false);
    });

    it('should start a provider once', async () => {
      const provider = new FakeProvider(() => Promise.resolve({}));
      const registry = registryWith(provider);
      await Promise.all([
        registry.send('sms', 'fake', message, options),
        registry.send('sms', 'fake', message, options),
      ]);
      expect(provider.inits).toBe(1);
    });

    it('should say that a provider is unknown', async () => {
      const registry = registryWith(new FakeProvider(() => Promise.resolve({})));
      await expect(registry.send('sms', 'nobody', message, options)).rejects.toMatchObject({
        name: 'ProviderError',
        code: 'provider_not_registered',
        retryable: false,
      });
    });

    it('should refuse a message of another channel', async () => {
      const registry = registryWith(new FakeProvider(() => Promise.resolve({})));
      const email = { channel: 'email', id: 'm1', to: [], from: 'a@b.example', subject: '', html: '' } as const;
      await expect(registry.send('sms', 'fake', email, options)).rejects.toMatchObject({ code: 'message_incomplete' });
    });

    it('should abort and give up when the time is over, even if the provider does not listen', async () => {
      let signal: AbortSignal | undefined;
      const provider = new FakeProvider((context) => {
        signal = context.signal;
        return new Promise(() => undefined);
      });
      const sending = registryWith(provider).send('sms', 'fake', message, { ...options, timeoutMs: 20 });
      await expect(sending).rejects.toMatchObject({ code: 'timeout', retryable: true });
      expect(signal?.aborted).toBe(true);
    });

    it('should say of a time-out whether the message had begun to leave', async () => {
      const silent = (begins: boolean) =>
        new FakeProvider(({ handover }) => {
          if (begins) handover.begin();
          return new Promise(() => undefined);
        });
      const send = (begins: boolean): Promise<SendResult> =>
        registryWith(silent(begins)).send('sms', 'fake', message, { ...options, timeoutMs: 20 });
      await expect(send(false)).rejects.toMatchObject({ code: 'timeout', outcome: 'not_sent' });
      await expect(send(true)).rejects.toMatchObject({ code: 'timeout', outcome: 'uncertain' });
    });

    it('should still take an acceptance that the end of the time cut short', async () => {
      const provider = new FakeProvider(
        ({ signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve({ id: 'x1' }))),
      );
      const sending = registryWith(provider).send('sms', 'fake', message, { ...options, timeoutMs: 20 });
      await expect(sending).resolves.toEqual({ id: 'x1' });
    });

    it.each([
      [true, 'uncertain'],
      [false, 'not_sent'],
    ])('should say of a fault whether the message had begun to leave: %s', async (begins, outcome) => {
      const provider = new FakeProvider(({ handover }) => {
        if (begins) handover.begin();
        return Promise.reject(Object.assign(new Error('x'), { code: 'ECONNRESET' }));
      });
      await expect(registryWith(provider).send('sms', 'fake', message, options)).rejects.toMatchObject({ outcome });
    });

    it.each([
      [
        'a network fault',
        Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
        { code: 'unreachable', retryable: true },
      ],
      [
        'a fault of the network as a cause',
        new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code: 'ENOTFOUND' }) }),
        { code: 'unreachable', retryable: true },
      ],
      ['an abort', Object.assign(new Error('stop'), { name: 'AbortError' }), { code: 'timeout', retryable: true }],
      ['a programming fault', new TypeError('x is not a function'), { code: 'unexpected', retryable: false }],
      ['something that is no error', 'oops', { code: 'unexpected', retryable: false }],
    ])('should turn %s into a ProviderError', async (_name, thrown, expected) => {
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- foreign code may reject with anything
      const registry = registryWith(new FakeProvider(() => Promise.reject(thrown)));
      await expect(registry.send('sms', 'fake', message, options)).rejects.toMatchObject({
        name: 'ProviderError',
        ...expected,
      });
    });

    it('should keep what a provider says and mask secrets in it', async () => {
      const registry = registryWith(
        new FakeProvider(() =>
          Promise.reject(
            new ProviderError('key very-secret is not known', {
              code: 'unauthorized',
              retryable: false,
              retryAfterMs: 7,
              statusCode: 401,
              raw: { deep: ['very-secret'] },
            }),
          ),
        ),
      );
      await expect(registry.send('sms', 'fake', message, options)).rejects.toMatchObject({
        message: 'key *** is not known',
        code: 'unauthorized',
        retryAfterMs: 7,
        statusCode: 401,
        raw: { deep: ['***'] },
      });
    });

    it('should mask the private part of webhook URLs', async () => {
      const hook = 'https://hooks.example/services/T1/secret-part?x=1';
      const provider: ChannelProvider = {
        id: 'hook',
        channel: 'chat',
        send: () => Promise.reject(new Error(`POST ${hook} failed, see /services/T1/secret-part?x=1`)),
      };
      const sending = registryWith(provider).send(
        'chat',
        'hook',
        { channel: 'chat', id: 'm1', content: 'x', subscriberCredentials: { webhookUrl: hook } },
        { credentials: {}, idempotencyKey: 'm1' },
      );
      await expect(sending).rejects.toMatchObject({ message: expect.not.stringContaining('secret-part') as string });
    });

    it('should mask secrets in results', async () => {
      const registry = registryWith(
        new FakeProvider(() => Promise.resolve({ id: '1', raw: { echo: 'k=very-secret' } })),
      );
      await expect(registry.send('sms', 'fake', message, options)).resolves.toEqual({
        id: '1',
        raw: { echo: 'k=***' },
      });
    });
  });

  describe('check', () => {
    it('should say when a provider has no test', async () => {
      const registry = registryWith(new FakeProvider(() => Promise.resolve({})));
      await expect(registry.check('sms', 'fake', {})).rejects.toMatchObject({ code: 'provider_cannot_check' });
    });
  });

  describe('base URLs', () => {
    it('should not be taken for a provider that there is not', () => {
      expect(() =>
        createChannelRegistry({ allowPrivateUrls: false, baseUrls: { twillio: 'https://proxy.example' } }),
      ).toThrow(/twillio/);
    });
  });

  describe('close', () => {
    it('should close the providers', async () => {
      const provider = new FakeProvider(() => Promise.resolve({}));
      await registryWith(provider).close();
      expect(provider.destroyed).toBe(true);
    });
  });
});
