import type { Schemas } from '../api/client.js';

export type Subscriber = Schemas['SubscriberResponse'];
export type AddressChannel = 'email' | 'sms';

/** What a search can look in; each is a filter of the API with an index. */
export const SEARCHES = [
  { value: 'subscriberId', label: 'Id starts with' },
  { value: 'name', label: 'Name starts with' },
  { value: 'email', label: 'Email is' },
  { value: 'phone', label: 'Phone is' },
] as const;
export type SearchBy = (typeof SEARCHES)[number]['value'];

/** A text with an @ is an email address, one that begins with + and digits a phone number. */
export function guessedSearch(text: string): SearchBy | undefined {
  if (/^[^\s@]+@[^\s@]+$/.test(text)) return 'email';
  return /^\+\d{4,}$/.test(text) ? 'phone' : undefined;
}

export function searchOf(by: string | null): SearchBy {
  return SEARCHES.find(({ value }) => value === by)?.value ?? 'subscriberId';
}

export function fullName({ firstName, lastName }: Pick<Subscriber, 'firstName' | 'lastName'>): string {
  return [firstName, lastName].filter(Boolean).join(' ');
}

/** What is known of a channel without its URLs and tokens, which are credentials. */
export function channelWords({ credentials }: Subscriber['channels'][number]): string {
  const { webhookUrl, channel, deviceTokens } = credentials;
  const devices = deviceTokens?.length ?? 0;
  const parts = [
    devices > 0 && (devices === 1 ? '1 device' : `${devices} devices`),
    channel && `channel ${channel}`,
    webhookUrl && 'webhook URL set',
  ];
  return parts.filter(Boolean).join(', ') || 'no address yet';
}
