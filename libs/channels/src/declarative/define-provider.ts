import type { CredentialField, ProviderFeatures } from '../core/declaration.js';
import type { Channel } from '../core/messages.js';
import type { DeclaredProvider } from '../core/plugin-providers.js';
import type { ChannelProvider, SendContext, SendResult } from '../core/provider.js';
import { defineHttpProvider, type HttpProviderSpec, type MessageOf } from './http-provider.js';

/** A credential of a provider, by its key in `credentials` of an integration. */
export interface CredentialSpec extends Partial<
  Pick<CredentialField, 'type' | 'required' | 'secret' | 'label' | 'where' | 'rare'>
> {
  readonly description: string;
}

interface AnyProviderSpec<C extends Channel> {
  /** Names the provider in integrations; unique in its channel. */
  readonly id: string;
  readonly channel: C;
  readonly displayName: string;
  /** Strings, optional and secret unless they say otherwise. Secrets are masked in responses, logs and the trail. */
  readonly credentials?: Readonly<Record<string, CredentialSpec>>;
  /** Public documentation of the provider's API. */
  readonly docs?: string;
  readonly supports?: Omit<ProviderFeatures, 'check' | 'callbacks'>;
}

/** A provider with an HTTP API: Herald makes the call, and reads failures, limits and waits from the answer. */
export interface HttpApiProvider<C extends Channel> extends AnyProviderSpec<C> {
  readonly http: Omit<HttpProviderSpec<C>, 'id' | 'channel' | 'callback'>;
  readonly callback?: ChannelProvider['callback'];
}

/** A provider that sends on its own. */
export interface SendingProvider<C extends Channel>
  extends AnyProviderSpec<C>, Pick<ChannelProvider, 'maxConcurrent' | 'check' | 'callback' | 'init' | 'destroy'> {
  /**
   * Resolves once the provider has accepted the message.
   * @throws {ProviderError} that says whether the message can be sent again, and whether it may have been accepted
   */
  send(message: MessageOf<C>, context: SendContext): Promise<SendResult>;
}

/** Declares a provider with its credentials. @throws {TypeError} if it has no function to send with */
export function defineProvider<C extends Exclude<Channel, 'in_app'>>(
  spec: HttpApiProvider<C> | SendingProvider<C>,
): DeclaredProvider {
  const { id, channel, displayName, docs, supports } = spec;
  const { http, send } = spec as Partial<HttpApiProvider<C> & SendingProvider<C>>;
  if (typeof (http?.request ?? send) !== 'function') {
    throw new TypeError(`The provider '${id}' has no function to send with: give it http with request, or send.`);
  }
  const provider = (): ChannelProvider => ('http' in spec ? ofApi(spec) : ofSender(spec));
  const checks = 'http' in spec ? spec.http.check : spec.check;
  return {
    declaration: {
      id,
      channel,
      displayName,
      credentials: Object.entries(spec.credentials ?? {}).map(([key, field]) => fieldOf(key, field)),
      ...(docs !== undefined && { docs }),
      state: 'implemented',
      // The adapter gets the whole message, and decides itself what it takes of it.
      ownFields: {},
      supports: {
        customData: true,
        inline: true,
        ipPools: true,
        ...supports,
        ...(checks && { check: true }),
        ...(spec.callback && { callbacks: true }),
      },
    },
    create: provider,
  };
}

function fieldOf(
  key: string,
  { type = 'string', required = false, secret, label, description, ...more }: CredentialSpec,
): CredentialField {
  return { key, type, required, secret: secret ?? type === 'string', label: label ?? key, description, ...more };
}

function ofApi<C extends Channel>({ id, channel, http, callback }: HttpApiProvider<C>): ChannelProvider {
  return defineHttpProvider({ ...http, id, channel, ...(callback && { callback }) });
}

/** A function without types may return nothing: the message was accepted all the same, without an id. */
function resultOf(result: SendResult | undefined): SendResult {
  return result ?? {};
}

function ofSender<C extends Channel>(spec: SendingProvider<C>): ChannelProvider {
  const { id, channel, maxConcurrent, check, callback, init, destroy } = spec;
  return {
    id,
    channel,
    // The registry passes only messages of the provider's own channel.
    send: async (message, context) => resultOf(await spec.send(message as MessageOf<C>, context)),
    ...(maxConcurrent !== undefined && { maxConcurrent }),
    ...(check && { check: check.bind(spec) }),
    ...(callback && { callback }),
    ...(init && { init: init.bind(spec) }),
    ...(destroy && { destroy: destroy.bind(spec) }),
  };
}
