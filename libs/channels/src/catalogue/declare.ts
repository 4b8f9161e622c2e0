import type { Channel } from '../core/messages.js';
import type { CredentialField, CredentialFormat, CredentialType, ProviderDeclaration } from '../core/declaration.js';
import { CREDENTIAL_KEYS, SECRET_CREDENTIAL_KEYS } from '../errors/credential-keys.js';

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  apiKey: 'API key',
  user: 'User name',
  secretKey: 'Secret key',
  domain: 'Domain',
  password: 'Password',
  host: 'Host name or address of the server',
  port: 'Port of the server, as a string',
  region: 'Region of the account',
  accountSid: 'Account id',
  messageProfileId: 'Messaging profile id',
  token: 'Access token',
  from: 'Sender: address, phone number or sender id',
  senderName: 'Name shown as the sender',
  projectName: 'Project name',
  applicationId: 'Application id',
  clientId: 'Client id',
  baseUrl: 'Base URL of the API',
  webhookUrl: 'URL that receives the messages',
  redirectUrl: 'Redirect URL of the OAuth flow',
  serviceAccount: 'Service account JSON, as text',
  ipPoolName: 'Name of the IP pool to send from',
  apiKeyRequestHeader: 'Name of the header that carries the API key',
  secretKeyRequestHeader: 'Name of the header that carries the secret key',
  idPath: 'Path of the message id in the answer, for example data.id',
  datePath: 'Path of the date in the answer, for example data.date',
  apiToken: 'API token',
  authenticationTokenKey: 'Name of the header that carries the fetched token',
  instanceId: 'Instance id',
  alertUid: 'Alert uid',
  title: 'Title',
  imageUrl: 'Image URL',
  state: 'Alert state',
  externalLink: 'Link to more details',
  channelId: 'Channel id',
  phoneNumberIdentification: 'Phone number id',
  accessKey: 'Access key',
  contentType: 'Content type of the message',
  apiURL: 'REST endpoint URL of the account',
  appID: 'App id',
  secure: 'Use TLS or the production service',
  requireTls: 'Refuse to send without STARTTLS',
  ignoreTls: 'Never use STARTTLS',
  tlsOptions: 'TLS options, for example {"rejectUnauthorized": false}',
  hmac: 'Require an HMAC of the subscriber id from clients',
  authenticateByToken: 'Fetch a token first and send with it',
  clientSecret: 'OAuth2: secret of the client',
  refreshToken: 'OAuth2: refresh token of the account',
  tokenUrl: 'OAuth2: URL that gives tokens; default that of Google',
  method: 'Method of the request; default POST',
  headers: 'Headers of the request, each a template',
  body: 'Body of the request: a template, or JSON in which each text is a template',
  callbackSecret: 'What the provider signs its status callbacks with; needed only to receive them',
};

/** Credentials that are rendered for each message. */
const TEMPLATES: ReadonlySet<string> = new Set(['method', 'headers', 'body']);

type DeclarationExtras = Partial<
  Pick<ProviderDeclaration, 'docs' | 'supports' | 'note' | 'address' | 'setup' | 'storedTemplate'>
> & {
  /** Default: for email none, for other channels those that the adapter hands on. */
  ownFields?: ProviderDeclaration['ownFields'] | null;
  /** Default: `implemented` with `supports`, otherwise `catalogue-only`. */
  state?: ProviderDeclaration['state'];
  /** Replaces the general description of a key. */
  describe?: Readonly<Record<string, string>>;
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

type Describing = Pick<DeclarationExtras, 'describe' | 'formats'> & { readonly channel: Channel };

function formatOf(key: string, { channel, formats = {} }: Describing): CredentialFormat | undefined {
  return formats[key] ?? (key === 'from' && channel === 'email' ? 'mailbox' : FORMATS[key]);
}

function field(word: string, describing: Describing): CredentialField {
  const { describe = {} } = describing;
  const [named = word, ...unless] = word.split('|');
  const required = named.endsWith('*');
  const key = required ? named.slice(0, -1) : named;
  const description = describe[key] ?? DESCRIPTIONS[key];
  if (description === undefined) throw new Error(`Credential key '${key}' has no description; add one to declare.ts.`);
  const format = formatOf(key, describing);
  const secret = SECRET_CREDENTIAL_KEYS.includes(key);
  return {
    key,
    type: typeOf(key),
    required,
    secret,
    description,
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
  const { state, describe, formats, supports, docs, note, address, setup, storedTemplate } = extras;
  const { ownFields = channel === 'email' || supports === undefined ? null : {} } = extras;
  const words = keys.split(' ').filter((word) => word !== '');
  return {
    id,
    channel,
    displayName,
    credentials: words.map((word) =>
      field(word, { channel, ...(describe && { describe }), ...(formats && { formats }) }),
    ),
    ...(docs === undefined ? {} : { docs }),
    state: state ?? (supports === undefined ? 'catalogue-only' : 'implemented'),
    supports: supports ?? {},
    ...(note === undefined ? {} : { note }),
    ...(ownFields !== null && { ownFields }),
    ...(storedTemplate && { storedTemplate }),
    ...(address === undefined ? {} : { address }),
    ...(setup === undefined ? {} : { setup }),
  };
}
