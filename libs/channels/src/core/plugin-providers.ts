import { ExtensionPoint, PluginError } from '#libs/plugins';
import { addSecretCredential, CREDENTIAL_KEYS } from '../errors/credential-keys.js';
import type { CredentialField, ProviderDeclaration } from './declaration.js';
import type { ChannelProvider } from './provider.js';

export interface DeclaredProvider {
  readonly declaration: ProviderDeclaration;
  /** Called once for each process, after its declaration is known. */
  create(): ChannelProvider;
}

const PROVIDERS = new ExtensionPoint<DeclaredProvider>('provider');
const added: DeclaredProvider[] = [];
const CREDENTIALS = new Map<string, CredentialField>();

/** @throws {PluginError} */
export function addProvider(plugin: string, provider: DeclaredProvider): void {
  const { id, channel, credentials } = provider.declaration;
  PROVIDERS.add(plugin, `${channel}:${id}`, provider);
  for (const field of credentials) addCredential(plugin, field);
  added.push(provider);
}

function addCredential(plugin: string, field: CredentialField): void {
  const known = CREDENTIALS.get(field.key);
  const builtIn = typeOfKey(field.key);
  const type = builtIn ?? known?.type;
  if (type !== undefined && type !== field.type) {
    throw new PluginError(
      plugin,
      `its credential '${field.key}' is of the type ${field.type}, and elsewhere of the type ${type}. Name it differently.`,
    );
  }
  // Herald decides for all providers which of its own keys are secret.
  if (builtIn !== undefined) return;
  if (field.secret) addSecretCredential(field.key);
  CREDENTIALS.set(field.key, { ...field, secret: field.secret || known?.secret === true });
}

function typeOfKey(key: string): CredentialField['type'] | undefined {
  if (key === 'port') return 'number-string';
  if ((CREDENTIAL_KEYS.strings as readonly string[]).includes(key)) return 'string';
  if ((CREDENTIAL_KEYS.booleans as readonly string[]).includes(key)) return 'boolean';
  return (CREDENTIAL_KEYS.objects as readonly string[]).includes(key) ? 'object' : undefined;
}

export function pluginProviders(): readonly DeclaredProvider[] {
  return added;
}

export function pluginOfProvider({ channel, id }: Pick<ProviderDeclaration, 'channel' | 'id'>): string {
  return PROVIDERS.pluginOf(`${channel}:${id}`) ?? 'unknown';
}

/** Applies to keys that only plugins have. */
export function isShownCredential(key: string): boolean {
  return CREDENTIALS.get(key)?.secret === false;
}

/** Herald's keys, then those of plugins. */
export function credentialKeys(): Record<'strings' | 'booleans' | 'objects', readonly string[]> {
  const ofType = (...types: readonly CredentialField['type'][]): string[] =>
    [...CREDENTIALS.values()].filter(({ type }) => types.includes(type)).map(({ key }) => key);
  return {
    strings: [...CREDENTIAL_KEYS.strings, ...ofType('string', 'number-string')],
    booleans: [...CREDENTIAL_KEYS.booleans, ...ofType('boolean')],
    objects: [...CREDENTIAL_KEYS.objects, ...ofType('object')],
  };
}
