import type { Channel } from '../core/messages.js';
import type { CredentialField, CredentialFormat, CredentialType, ProviderDeclaration } from '../core/declaration.js';
import { DESCRIPTIONS, LABELS, RARE } from './credential-words.js';
import { CREDENTIAL_KEYS, SECRET_CREDENTIAL_KEYS } from '../errors/credential-keys.js';

/** Credentials that are rendered for each message. */
const TEMPLATES: ReadonlySet<string> = new Set(['method', 'headers', 'body']);

type DeclarationExtras = Partial<
  Pick<
    ProviderDeclaration,
    'docs' | 'supports' | 'note' | 'address' | 'setup' | 'storedTemplate' | 'limit' | 'presets' | 'values'
  >
> & {
  /** Default: for email none, for other channels those that the adapter hands on. */
  ownFields?: ProviderDeclaration['ownFields'] | null;
  /** Default: `implemented` with `supports`, otherwise `catalogue-only`. */
  state?: ProviderDeclaration['state'];
  /** Replaces the general description of a key. */
  describe?: Readonly<Record<string, string>>;
  /** Replaces the usual label of a key. */
  labels?: Readonly<Record<string, string>>;
  /** Where the value of a key stands in the service. */
  where?: Readonly<Record<string, string>>;
  /** Keys that few need, besides the usual ones. */
  rare?: readonly string[];
  /** Replaces the usual format of a key. */
  formats?: Readonly<Record<string, CredentialFormat>>;
};

function typeOf(key: string): CredentialType {
  if (key === 'port') return 'number-string';
  if ((CREDENTIAL_KEYS.booleans as readonly string[]).includes(key)) return 'boolean';
  return (CREDENTIAL_KEYS.objects as readonly string[]).includes(key) ? 'object' : 'string';
}

const FORMATS: Readonly<Record<string, CredentialFormat>> = {
  host: 'host',
  port: 'port',
  baseUrl: 'url',
  webhookUrl: 'url',
  tokenUrl: 'url',
  apiURL: 'url',
  apiKey: 'header',
  apiToken: 'header',
  accessKey: 'header',
};

type Describing = Pick<DeclarationExtras, 'describe' | 'formats' | 'labels' | 'where' | 'rare'> & {
  readonly channel: Channel;
};

function formatOf(key: string, { channel, formats = {} }: Describing): CredentialFormat | undefined {
  return formats[key] ?? (key === 'from' && channel === 'email' ? 'mailbox' : FORMATS[key]);
}

function field(word: string, describing: Describing): CredentialField {
  const { describe = {}, labels = {}, where = {}, rare = [], channel } = describing;
  const [named = word, ...unless] = word.split('|');
  const required = named.endsWith('*');
  const key = required ? named.slice(0, -1) : named;
  const description = describe[key] ?? DESCRIPTIONS[key];
  const label = labels[key] ?? (key === 'from' && channel === 'email' ? 'From address' : LABELS[key]);
  if (description === undefined || label === undefined) {
    throw new Error(`Credential key '${key}' has no words; add them to credential-words.ts.`);
  }
  const isRare = !required && unless.length === 0 && (RARE.has(key) || rare.includes(key));
  const format = formatOf(key, describing);
  const secret = SECRET_CREDENTIAL_KEYS.includes(key);
  return {
    key,
    type: typeOf(key),
    required,
    secret,
    label,
    description,
    ...(where[key] !== undefined && { where: where[key] }),
    ...(isRare && { rare: true }),
    ...(unless.length > 0 && { unless }),
    ...(TEMPLATES.has(key) && { template: true }),
    ...(format !== undefined && { format }),
  };
}

/**
 * @param keys credential keys separated by spaces; a star marks required ones, and `a|b` requires `a` where `b` is not
 * given
 */
export function declare(
  channel: Channel,
  id: string,
  displayName: string,
  keys: string,
  extras: DeclarationExtras = {},
): ProviderDeclaration {
  const {
    state,
    describe,
    formats,
    labels,
    where,
    rare,
    presets,
    supports,
    docs,
    note,
    address,
    setup,
    storedTemplate,
    limit,
    values,
  } = extras;
  const { ownFields = channel === 'email' || supports === undefined ? null : {} } = extras;
  const describing: Describing = {
    channel,
    ...(describe && { describe }),
    ...(formats && { formats }),
    ...(labels && { labels }),
    ...(where && { where }),
    ...(rare && { rare }),
  };
  const words = keys.split(' ').filter((word) => word !== '');
  return {
    id,
    channel,
    displayName,
    credentials: words.map((word) => field(word, describing)),
    ...(docs === undefined ? {} : { docs }),
    state: state ?? (supports === undefined ? 'catalogue-only' : 'implemented'),
    supports: supports ?? {},
    ...(note === undefined ? {} : { note }),
    ...(ownFields !== null && { ownFields }),
    ...(storedTemplate && { storedTemplate }),
    ...(limit && { limit }),
    ...(values && { values }),
    ...(presets && { presets }),
    ...(address === undefined ? {} : { address }),
    ...(setup === undefined ? {} : { setup }),
  };
}
