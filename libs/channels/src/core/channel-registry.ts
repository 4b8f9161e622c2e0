import { PROVIDER_CALLS } from '#libs/telemetry';
import type { OutboundHttp } from '../http/outbound-http.types.js';
import type { Channel, ChatMessage, OutboundMessage } from './messages.js';
import { Handover, ProviderError, type FailureOutcome } from '../errors/provider-error.js';
import type { ChannelProvider, Receipt, SendContext, SendResult } from './provider.js';
import { redact, secretValues } from '../errors/redact.js';
import { toProviderError } from '../errors/to-provider-error.js';

const DEFAULT_TIMEOUT_MS = 15_000;
const NOTHING: Partial<ChatMessage> = {};

export interface ChannelRegistryOptions {
  http: OutboundHttp;
  /** Milliseconds per provider call; default 15,000. */
  timeoutMs?: number;
  /** By provider id; they replace the providers' own. */
  baseUrls?: Readonly<Record<string, string>>;
  now?: () => Date;
}

export interface SendOptions {
  credentials: Readonly<Record<string, unknown>>;
  /** Same value on every attempt of the same message to the same target. */
  idempotencyKey: string;
  timeoutMs?: number;
  baseUrl?: string;
}

/** Every call has a time limit and fails only with errors that contain no secrets. */
export class ChannelRegistry {
  private readonly providers = new Map<string, ChannelProvider>();
  private readonly started = new Map<ChannelProvider, Promise<void>>();

  constructor(private readonly options: ChannelRegistryOptions) {}

  /** @throws if the channel already has a provider with this id */
  register(provider: ChannelProvider): void {
    const key = keyOf(provider.channel, provider.id);
    if (this.providers.has(key)) {
      throw new Error(
        `Channel '${provider.channel}' already has a provider '${provider.id}'; register it under another id.`,
      );
    }
    this.providers.set(key, provider);
  }

  get(channel: Channel, providerId: string): ChannelProvider | undefined {
    return this.providers.get(keyOf(channel, providerId));
  }

  list(): ChannelProvider[] {
    return [...this.providers.values()];
  }

  /** @throws {ProviderError} that says whether the message is retryable and may have been sent */
  async send(
    channel: Channel,
    providerId: string,
    message: OutboundMessage,
    options: SendOptions,
  ): Promise<SendResult> {
    const { webhookUrl, subscriberCredentials, rendered } = message.channel === 'chat' ? message : NOTHING;
    const given = { ...options.credentials, ...rendered };
    const secrets = secretValues(given, webhookUrl, subscriberCredentials?.webhookUrl);
    const call = this.call(channel, providerId, options, secrets, (provider, context) => {
      if (message.channel !== provider.channel) {
        throw new ProviderError(
          `A message for '${message.channel}' cannot go through the ${channel} provider '${providerId}'.`,
          {
            code: 'message_incomplete',
            retryable: false,
          },
        );
      }
      return provider.send(message, context);
    });
    const result = await measured(channel, providerId, call);
    return result.raw === undefined ? result : { ...result, raw: redact(result.raw, secrets) };
  }

  /** Sends nothing. Fails with `provider_cannot_check` if the provider has no such test. */
  async check(
    channel: Channel,
    providerId: string,
    credentials: Readonly<Record<string, unknown>>,
    timeoutMs?: number,
  ): Promise<void> {
    const options = { credentials, idempotencyKey: '', ...(timeoutMs === undefined ? {} : { timeoutMs }) };
    await this.call(channel, providerId, options, secretValues(credentials), (provider, context) => {
      if (provider.check) return provider.check(context);
      throw new ProviderError(
        `Provider '${providerId}' offers no test that sends nothing; create the integration without check.`,
        {
          code: 'provider_cannot_check',
          retryable: false,
        },
      );
    });
  }

  /** A link that connects a person, or undefined if the provider has none. @throws {ProviderError} */
  async connectionUrl(
    channel: Channel,
    providerId: string,
    credentials: Readonly<Record<string, unknown>>,
    token: string,
  ): Promise<string | undefined> {
    if (this.get(channel, providerId)?.connectionUrl === undefined) return undefined;
    const options = { credentials, idempotencyKey: '' };
    return this.call(channel, providerId, options, secretValues(credentials), (provider, context) =>
      Promise.resolve(provider.connectionUrl?.(token, context)),
    );
  }

  /** The receipts of push messages that a provider has by now, by the ids of their tickets. @throws {ProviderError} */
  async receipts(
    providerId: string,
    credentials: Readonly<Record<string, unknown>>,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, Receipt>> {
    const options = { credentials, idempotencyKey: '' };
    return this.call('push', providerId, options, secretValues(credentials), async (provider, context) => {
      return (await provider.receipts?.(ids, context)) ?? new Map<string, Receipt>();
    });
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.list().map(async (provider) => provider.destroy?.()));
    await this.options.http.close();
  }

  private async call<T>(
    channel: Channel,
    providerId: string,
    options: SendOptions,
    secrets: readonly string[],
    run: (provider: ChannelProvider, context: SendContext) => Promise<T>,
  ): Promise<T> {
    const provider = this.get(channel, providerId);
    if (!provider) {
      throw new ProviderError(
        `There is no ${channel} provider '${providerId}'. Use one that docs/providers.md lists as implemented.`,
        {
          code: 'provider_not_registered',
          retryable: false,
        },
      );
    }
    const timeoutMs = options.timeoutMs ?? this.options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const handover = new Handover();
    try {
      await this.start(provider);
      return await withinTime(
        timeoutMs,
        `Provider '${providerId}'`,
        () => handover.outcome,
        (signal) => {
          const baseUrl = options.baseUrl ?? this.options.baseUrls?.[providerId];
          return run(provider, {
            credentials: options.credentials,
            idempotencyKey: options.idempotencyKey,
            signal,
            http: this.options.http,
            handover,
            now: this.options.now ?? (() => new Date()),
            ...(baseUrl === undefined ? {} : { baseUrl }),
          });
        },
      );
    } catch (error) {
      throw toProviderError(error, `Provider '${providerId}'`, secrets, handover.outcome);
    }
  }

  private start(provider: ChannelProvider): Promise<void> {
    const running = this.started.get(provider);
    if (running) return running;
    const first = Promise.resolve(provider.init?.());
    this.started.set(provider, first);
    first.catch(() => this.started.delete(provider));
    return first;
  }
}

/** @throws the {@link ProviderError} of the call */
async function measured(channel: Channel, provider: string, call: Promise<SendResult>): Promise<SendResult> {
  const startedAt = performance.now();
  let outcome = 'unexpected';
  try {
    const result = await call;
    outcome = 'accepted';
    return result;
  } catch (error) {
    if (error instanceof ProviderError) outcome = error.code;
    throw error;
  } finally {
    PROVIDER_CALLS.observeMs({ channel, provider, outcome }, performance.now() - startedAt);
  }
}

function keyOf(channel: Channel, id: string): string {
  return `${channel}:${id}`;
}

/** After the abort: an answer with a known status still counts. */
const GRACE_MS = 100;

/**
 * The caller continues even if the work ignores the signal.
 * @param outcome called at a timeout: the outcome of the message
 */
async function withinTime<T>(
  timeoutMs: number,
  subject: string,
  outcome: () => FailureOutcome,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  let timeOut: ProviderError | undefined;
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const error = new ProviderError(`${subject} did not answer within ${timeoutMs} ms.`, {
        code: 'timeout',
        retryable: true,
        outcome: outcome(),
      });
      timeOut = error;
      timer = setTimeout(() => reject(error), GRACE_MS);
      controller.abort(error);
    }, timeoutMs);
  });
  // Async, so that a synchronous throw of `run` becomes a rejection and the timer is cleared.
  const work = (async () => run(controller.signal))();
  try {
    return await Promise.race([work, expired]);
  } catch (error) {
    // The abort error says less than the timeout, unless the provider has answered.
    if (timeOut === undefined || (error instanceof ProviderError && error.statusCode !== undefined)) throw error;
    throw timeOut;
  } finally {
    clearTimeout(timer);
    // The work may still fail after the timeout.
    work.catch(() => undefined);
  }
}
