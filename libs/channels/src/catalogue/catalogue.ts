import { pluginProviders } from '../core/plugin-providers.js';
import type { Channel } from '../core/messages.js';
import type { ProviderDeclaration } from '../core/declaration.js';
import { CATCHER_DECLARATIONS } from './catchers.js';
import { CHAT_DECLARATIONS } from './chat.js';
import { declare } from './declare.js';
import { EMAIL_DECLARATIONS } from './email.js';
import { PUSH_DECLARATIONS } from './push.js';
import { SMS_DECLARATIONS } from './sms.js';

const IN_APP_DECLARATIONS = [
  declare('in_app', 'novu', 'Novu Inbox', 'hmac', {
    state: 'implemented',
    note: 'In-app messages are stored, not sent: the delivery engine writes them and no adapter is involved.',
  }),
];

/** The compatible interface's ids, including those that Herald cannot send through, and those of Herald. */
export const PROVIDER_CATALOGUE: readonly ProviderDeclaration[] = [
  ...IN_APP_DECLARATIONS,
  ...EMAIL_DECLARATIONS,
  ...SMS_DECLARATIONS,
  ...CHAT_DECLARATIONS,
  ...PUSH_DECLARATIONS,
  ...CATCHER_DECLARATIONS,
];

/** Those of plugins in place of what they implement, and the others that plugins add. */
export function allProviders(): readonly ProviderDeclaration[] {
  const added = pluginProviders().map(({ declaration }) => declaration);
  const isReplaced = ({ id, channel }: ProviderDeclaration): boolean =>
    added.some((one) => one.id === id && one.channel === channel);
  return [...PROVIDER_CATALOGUE.filter((one) => !isReplaced(one)), ...added];
}

/** Those that a subscriber can have an entry for, in the order of error texts. A catcher needs none. */
export function chatAndPushProviderIds(): readonly string[] {
  return [
    ...CHAT_DECLARATIONS.filter(({ id }) => id !== 'whatsapp-business').map(({ id }) => id),
    ...PUSH_DECLARATIONS.map(({ id }) => id),
    'whatsapp-business',
    ...pluginProviders().flatMap(({ declaration: { id, channel } }) =>
      channel === 'chat' || channel === 'push' ? [id] : [],
    ),
  ];
}

/** Includes plugins. If an id exists in two channels, `channel` decides; default: the first one. */
export function findProvider(id: string, channel?: Channel): ProviderDeclaration | undefined {
  const isAsked = (declaration: ProviderDeclaration): boolean =>
    declaration.id === id && (channel === undefined || declaration.channel === channel);
  // First, because a plugin may implement an id that Herald only lists.
  const ofPlugin = pluginProviders().find(({ declaration }) => isAsked(declaration));
  return ofPlugin?.declaration ?? PROVIDER_CATALOGUE.find(isAsked);
}
