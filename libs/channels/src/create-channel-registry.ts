import { ConfigError } from '#libs/config';
import { PluginError } from '#libs/plugins';
import type { ChannelProvider } from './core/provider.js';
import { pluginOfProvider, pluginProviders } from './core/plugin-providers.js';
import { ChannelRegistry } from './core/channel-registry.js';
import { addressRule, type AddressRule } from './http/address-guard.js';
import { createOutboundHttp } from './http/outbound-http.js';
import type { OutboundHttp } from './http/outbound-http.types.js';
import { CATCHER_PROVIDERS } from './providers/catcher.js';
import { CHAT_PROVIDERS } from './providers/chat/index.js';
import { createEmailProviders } from './providers/email/index.js';
import { SmtpProvider } from './providers/email/smtp.provider.js';
import { createPushProviders } from './providers/push/index.js';
import { createSmsProviders } from './providers/sms/index.js';

export interface CreateChannelRegistryOptions {
  /** Default: a client of this registry. The registry closes it. */
  http?: OutboundHttp;
  /** For URLs and SMTP hosts of users: loopback, link-local and private addresses. */
  allowPrivateUrls: boolean;
  /** Always allowed. */
  privateHosts?: readonly string[];
  /** Milliseconds per provider call; default 15,000. */
  timeoutMs?: number;
  /** By provider id; they replace the providers' own. */
  baseUrls?: Readonly<Record<string, string>>;
  now?: () => Date;
  /** With which SMTP greets servers; default: the domain of the sender. */
  helloName?: string | undefined;
}

function builtInProviders(
  http: OutboundHttp,
  rule: AddressRule | undefined,
  helloName: string | undefined,
): readonly ChannelProvider[] {
  return [
    ...createEmailProviders(http, rule, helloName),
    ...createSmsProviders(),
    ...CHAT_PROVIDERS,
    ...createPushProviders(),
    ...CATCHER_PROVIDERS,
  ];
}

/**
 * All built-in providers and those of plugins.
 * @throws {ConfigError} if a base URL names an unknown provider @throws {PluginError} if a plugin brings a provider
 * that Herald has
 */
export function createChannelRegistry(options: CreateChannelRegistryOptions): ChannelRegistry {
  const { allowPrivateUrls, privateHosts = [], helloName, ...rest } = options;
  const { http = createOutboundHttp({ allowPrivateUrls, privateHosts }) } = options;
  const registry = new ChannelRegistry({ ...rest, http });
  const rule = addressRule({ allowPrivateUrls, privateHosts });
  for (const provider of builtInProviders(http, rule, helloName)) registry.register(provider);
  registerPlugins(registry);
  const unknown = Object.keys(options.baseUrls ?? {}).filter((id) => !registry.list().some((one) => one.id === id));
  if (unknown.length === 0) return registry;
  throw new ConfigError(
    unknown.map(
      (id) =>
        `PROVIDER_BASE_URLS: there is no provider '${id}'; docs/providers.md lists their ids, and that of a plugin needs the plugin in HERALD_PLUGINS`,
    ),
  );
}

/** SMTP alone, to whatever host the operator has set. */
export function createOperatorMail(): ChannelRegistry {
  const http = createOutboundHttp({ allowPrivateUrls: true });
  const registry = new ChannelRegistry({ http });
  registry.register(new SmtpProvider('nodemailer', http, undefined));
  return registry;
}

function registerPlugins(registry: ChannelRegistry): void {
  for (const provider of pluginProviders()) {
    const { declaration } = provider;
    const { channel, id } = declaration;
    if (registry.get(channel, id) !== undefined) {
      const plugin = pluginOfProvider(declaration);
      throw new PluginError(
        plugin,
        `Herald has a provider '${id}' of its own for ${channel}. Rename that of the plugin.`,
      );
    }
    registry.register(provider.create());
  }
}
