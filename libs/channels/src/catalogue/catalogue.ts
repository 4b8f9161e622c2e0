import type { Channel } from '../core/channel.js';
import type { ProviderDeclaration } from '../core/declaration.js';
import { CHAT_DECLARATIONS } from './chat.js';
import { EMAIL_DECLARATIONS } from './email.js';
import { IN_APP_DECLARATIONS } from './in-app.js';
import { PUSH_DECLARATIONS } from './push.js';
import { SMS_DECLARATIONS } from './sms.js';

/** Every provider id of the compatible interface, whether Herald can send through it or not. */
export const PROVIDER_CATALOGUE: readonly ProviderDeclaration[] = [
  ...IN_APP_DECLARATIONS,
  ...EMAIL_DECLARATIONS,
  ...SMS_DECLARATIONS,
  ...CHAT_DECLARATIONS,
  ...PUSH_DECLARATIONS,
];

/** Provider ids that a subscriber can hold credentials for: contract 4.6 in its order, and `whatsapp-business`. */
export const CHAT_AND_PUSH_PROVIDER_IDS: readonly string[] = [
  ...CHAT_DECLARATIONS.filter(({ id }) => id !== 'whatsapp-business').map(({ id }) => id),
  ...PUSH_DECLARATIONS.map(({ id }) => id),
  'whatsapp-business',
];

/** The declaration of a provider. A few ids exist in two channels; without `channel` the first one is returned. */
export function findProvider(id: string, channel?: Channel): ProviderDeclaration | undefined {
  return PROVIDER_CATALOGUE.find(
    (declaration) => declaration.id === id && (channel === undefined || declaration.channel === channel),
  );
}
