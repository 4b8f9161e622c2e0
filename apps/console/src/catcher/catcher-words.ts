import { typeLabel } from '../activity/words.js';
import type { Schemas } from '../api/client.js';
import type { FramedMessage } from '../ui/channel-frame.js';
import type { Choice } from '../ui/fields.js';

export type Catcher = Schemas['CatcherResponse'];
export type Caught = Schemas['CaughtMessageResponse'];
export type ListedCaught = Schemas['ListedCaughtMessageResponse'];

const CHANNELS = ['email', 'sms', 'push', 'chat', 'in_app'] as const;

export const CHANNEL_CHOICES: readonly Choice[] = [
  { value: '', label: 'All channels' },
  ...CHANNELS.map((value) => ({ value, label: typeLabel(value) })),
];

/** What is asked of the list. Anything else in the address of the page is left out. */
export interface Asked {
  readonly channel?: (typeof CHANNELS)[number];
  readonly subscriberId?: string;
}

export function askedIn(parameters: Pick<URLSearchParams, 'get'>): Asked {
  const channel = CHANNELS.find((one) => one === parameters.get('channel'));
  const subscriberId = parameters.get('subscriberId')?.trim();
  return { ...(channel && { channel }), ...(subscriberId && { subscriberId }) };
}

/** Which channels are caught, in words; empty if none is. */
export function caughtChannels({ channels }: Pick<Catcher, 'channels'>): string {
  return channels
    .filter(({ isOn }) => isOn)
    .map(({ channel }) => typeLabel(channel))
    .join(', ');
}

export function whoOf({ subscriberName, subscriberId, to }: ListedCaught): string {
  return subscriberName ?? subscriberId ?? to[0] ?? 'a deleted subscriber';
}

/** The message for the frame of its channel. */
export function framedOf({ channel, html, text, from, senderName, ...message }: Caught): FramedMessage {
  const { subject, title, cta } = message;
  const sender = senderName === undefined ? from : `${senderName} <${from ?? ''}>`;
  return {
    type: channel,
    content: (channel === 'email' ? html : text) ?? '',
    ...(channel === 'email' && text !== undefined && { text }),
    ...(sender !== undefined && { senderName: sender }),
    ...(subject !== undefined && { subject }),
    ...(title !== undefined && { title }),
    ...(cta && { cta }),
  };
}

const UNITS = ['bytes', 'kB', 'MB'] as const;

export function sizeOf(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const size = bytes / 1_000 ** power;
  return `${size.toLocaleString('en', { maximumFractionDigits: power === 0 ? 0 : 1 })} ${UNITS[power]}`;
}
