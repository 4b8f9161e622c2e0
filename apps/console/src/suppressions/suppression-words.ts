import type { Schemas } from '../api/client.js';
import { typeLabel } from '../activity/words.js';
import type { Choice } from '../ui/fields.js';

export type Suppression = Schemas['SuppressionResponse'];
export type SuppressionKind = Suppression['kind'];

const KINDS: Readonly<Record<SuppressionKind, string>> = {
  bounce: 'Bounced',
  complaint: 'Complained',
  unsubscribe: 'Unsubscribed',
  manual: 'Added by you',
};

const CHANNELS = ['email', 'sms', 'push', 'chat', 'in_app'] as const;

export const KIND_CHOICES: readonly Choice[] = [
  { value: '', label: 'All reasons' },
  ...Object.entries(KINDS).map(([value, label]) => ({ value, label })),
];

export const CHANNEL_CHOICES: readonly Choice[] = [
  { value: '', label: 'All channels' },
  ...CHANNELS.map((value) => ({ value, label: typeLabel(value) })),
];

/** What is asked of the list. Anything else in the address of the page is left out. */
export interface Asked {
  readonly kind?: SuppressionKind;
  readonly channel?: (typeof CHANNELS)[number];
  readonly address?: string;
}

export function askedIn(parameters: Pick<URLSearchParams, 'get'>): Asked {
  const kind = (Object.keys(KINDS) as SuppressionKind[]).find((one) => one === parameters.get('kind'));
  const channel = CHANNELS.find((one) => one === parameters.get('channel'));
  const address = parameters.get('address')?.trim();
  return { ...(kind && { kind }), ...(channel && { channel }), ...(address && { address }) };
}

export function kindWord({ kind }: Pick<Suppression, 'kind'>): string {
  return KINDS[kind];
}

const WAYS: Readonly<Record<string, string>> = {
  'one-click': 'By the button of a mail program',
  page: 'On the preference page',
};

/** Why, in words: the ways of unsubscribing have codes, the others have a text. */
export function reasonWords({ kind, reason }: Pick<Suppression, 'kind' | 'reason'>): string {
  return kind === 'unsubscribe' ? (WAYS[reason] ?? reason) : reason;
}

const COLUMNS = ['id', 'kind', 'channel', 'subscriberId', 'address', 'workflowId', 'reason', 'since'] as const;

/** One line for each suppression, below the names of the columns (RFC 4180). */
export function toCsv(rows: readonly Suppression[]): string {
  const lines = rows.map((row) => COLUMNS.map((name) => cellOf(row[name] ?? '')).join(','));
  return [COLUMNS.join(','), ...lines].map((line) => `${line}\r\n`).join('');
}

const PHONE = /^\+[\d ()-]+$/;

/** Spreadsheets take a text that begins like a formula for one; an apostrophe says that it is a text. */
function cellOf(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) && !PHONE.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
