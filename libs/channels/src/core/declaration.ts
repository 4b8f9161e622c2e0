import type { Channel } from './messages.js';
import type { ValueEscape } from './value-escapes.js';

export type CredentialType = 'string' | 'boolean' | 'object' | 'number-string';

/** How the text of a credential has to look. */
export type CredentialFormat =
  | 'host'
  | 'port'
  | 'url'
  | 'hostOrUrl'
  | 'mailbox'
  | 'header'
  | 'serviceAccount'
  | 'privateKey'
  | 'vapidPublicKey'
  | 'vapidPrivateKey'
  | 'hexKey'
  | 'urlWord';

/** One credential key, for validation, documentation and forms. */
export interface CredentialField {
  key: string;
  /** `number-string` is a whole number that travels as a string, such as `port`. */
  type: CredentialType;
  required: boolean;
  secret: boolean;
  /** Name for forms, in the words of the provider. */
  label: string;
  description: string;
  /** Where the value stands in the service. */
  where?: string;
  /** Few need it: forms may hide it at first. */
  rare?: boolean;
  /** Required, unless one of these keys is given. */
  unless?: readonly string[];
  /** The value is a template, or an object of templates, that is rendered for each message. */
  template?: boolean;
  /** Absent: any text. */
  format?: CredentialFormat;
}

/** What says where the chat messages of a subscriber go; `integration`: its credentials do, for all subscribers. */
export type ChatAddress = 'webhookUrl' | 'channel' | 'email' | 'phone' | 'integration';

/** Features of an adapter beyond plain content. Absent means no. */
export interface ProviderFeatures {
  attachments?: boolean;
  /** Email: images that are shown inside the message, by their content id. */
  inline?: boolean;
  /** Email: custom data goes with the message. */
  customData?: boolean;
  /** Email: a pool of sending addresses can be chosen. */
  ipPools?: boolean;
  copies?: boolean;
  /** A test of the credentials that sends nothing. */
  check?: boolean;
  callbacks?: boolean;
  /** The provider drops a repeat with the same idempotency key. */
  idempotency?: boolean;
  invalidTokens?: boolean;
  batch?: boolean;
  /** Push: what became of each token is asked for later. */
  receipts?: boolean;
  /** Push: each token gets its own message, because each has its own outcome. */
  perToken?: boolean;
  /** The message goes to a URL of a user; private addresses are rejected. */
  userUrl?: boolean;
  /** A message can replace an earlier one. */
  replaces?: boolean;
  /** A message can answer an earlier one, in its thread. */
  threads?: boolean;
  /** A link connects a person: `POST /v1/subscribers/{subscriberId}/chat-links`. */
  links?: boolean;
  /** Buttons that answer a question. */
  buttons?: boolean;
}

/** Fields of an override that Herald does not know become fields of the provider's request. */
export interface OwnFields {
  /** The only ones; absent: any. */
  only?: readonly string[];
  /** Where in the body; absent: at its top. */
  at?: string;
  /** Fields that Herald alone sets: who gets the message, and its headers. `*` ends a name that begins so, and is alone any entry of a list. */
  not?: readonly string[];
  /** Lists of Herald's request whose entries get the fields of the given entry at the same place. */
  lists?: readonly string[];
}

/** A template that is stored at the provider. Paths begin where `ownFields` go. */
export interface StoredTemplate {
  /** Fields of which one names the template. */
  names: readonly string[];
  /** Fields that Herald leaves out then. */
  replaces: readonly string[];
  /** Fields that have another place then, by their usual one. */
  moves?: Readonly<Record<string, string>>;
  /** Values that the request needs then, unless they are given. */
  adds?: Readonly<Record<string, unknown>>;
  /** Fields that are JSON as text. */
  texts?: readonly string[];
  /** The route, if it is another one. */
  path?: string;
  /** Keys of `customData` that are such fields, if one of them names the template. */
  data: Readonly<Record<string, string>>;
}

/** Credentials that are the same for everybody who uses one service. */
export interface CredentialPreset {
  name: string;
  credentials: Readonly<Record<string, string | boolean>>;
}

export type ProviderState = 'implemented' | 'catalogue-only';

export interface ProviderDeclaration {
  /** Unique within its channel. */
  id: string;
  channel: Channel;
  displayName: string;
  credentials: readonly CredentialField[];
  /** Public documentation of the provider's API. */
  docs?: string;
  /** `catalogue-only` ids can be stored, but nothing can be sent through them. */
  state: ProviderState;
  supports: ProviderFeatures;
  note?: string;
  /** Chat and SMS: the most that the text of a message may have. A longer one is refused before the call. */
  limit?: { readonly most: number; readonly unit: 'characters' | 'bytes' };
  /** Chat: how values of templates are kept from being markup, such as mentions. Absent: they are sent as they are. */
  values?: ValueEscape;
  /** Absent: the provider takes no fields of its own. */
  ownFields?: OwnFields;
  storedTemplate?: StoredTemplate;
  /** Chat: one of these is enough. Default: `webhookUrl`. */
  address?: readonly ChatAddress[];
  /** For providers that many services speak. */
  presets?: readonly CredentialPreset[];
  /** Where to find the credentials in the service, step by step, as Markdown. */
  setup?: readonly string[];
}
