import type { ProviderDeclaration } from './declaration.js';

type Escape = (value: string) => string;

/** Shown as nothing, and ends a word. */
const GAP = '\u200b';
/** Everybody, by any name, and people and groups at the beginning of a word; not in addresses of mails and pages. */
const MENTION = /(?<!\w)@(?=(?:everyone|here|all|channel|room|team)\b)|(?<![\w/.:=&?%#-])@(?=[\w*!&])/gi;
const COMMAND = /<(?=[#!]|users\/)/gi;

const html: Escape = (value) => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const BY_PARSE_MODE: ReadonlyMap<unknown, Escape> = new Map<unknown, Escape>([
  ['html', html],
  ['markdown', (value) => value.replace(/[_*`[]/g, '\\$&')],
  ['markdownv2', (value) => value.replace(/[_*[\]()~`>#+\-=|{}.!\\]/g, '\\$&')],
]);

/** By name, what keeps the values of a template from being commands of the service that shows it. */
const VALUE_ESCAPES = {
  /** https://docs.slack.dev/messaging/formatting-message-text#escaping */
  slack: () => html,
  /** Where nothing can be escaped, a gap makes a mention a word as any other. */
  mentions: () => (value) => value.replace(MENTION, `@${GAP}`).replace(COMMAND, `<${GAP}`),
  /** https://core.telegram.org/bots/api#formatting-options: a field of the request says how the text is read. */
  telegram: ({ parse_mode: mode }) => BY_PARSE_MODE.get(typeof mode === 'string' ? mode.toLowerCase() : mode),
} as const satisfies Readonly<Record<string, (fields: Readonly<Record<string, unknown>>) => Escape | undefined>>;

export type ValueEscape = keyof typeof VALUE_ESCAPES;

/** @param fields of the provider's own, which its request has in addition */
export function escapeValue(
  provider: Pick<ProviderDeclaration, 'values'> | undefined,
  value: string,
  fields: Readonly<Record<string, unknown>> = {},
): string {
  const escape = provider?.values === undefined ? undefined : VALUE_ESCAPES[provider.values](fields);
  return escape === undefined ? value : escape(value);
}
