import { ChannelRegistry } from './core/channel-registry.js';
import { createOutboundHttp } from './http/outbound-http.js';
import { SmtpProvider } from './providers/email/smtp.provider.js';

export interface CreateChannelRegistryOptions {
  /** Whether URLs that users give may lead to loopback, link-local and private addresses (decisions 6.6a). */
  allowPrivateUrls: boolean;
  /** Time for one call of a provider, in milliseconds; default 15,000. */
  timeoutMs?: number;
  /** Base URLs that replace the providers' own, by provider id. */
  baseUrls?: Readonly<Record<string, string>>;
  now?: () => Date;
}

/** A registry with every built-in provider. Call `close()` at shutdown. */
export function createChannelRegistry(options: CreateChannelRegistryOptions): ChannelRegistry {
  const { allowPrivateUrls, ...rest } = options;
  const registry = new ChannelRegistry({ ...rest, http: createOutboundHttp({ allowPrivateUrls }) });
  registry.register(new SmtpProvider());
  return registry;
}
