import type { Span } from '#libs/schedule';
import type { TriggerEventRecord } from '../records/trigger-event.record.js';

type Overrides = TriggerEventRecord['overrides'];

/** The span that a trigger puts in the place of regular delays and digests; the request has checked it. */
export function delayOverride(overrides: Overrides): Span | undefined {
  return objectAt(overrides, 'delay') as unknown as Span | undefined;
}

/** What a trigger overrides for a channel; what it says of the provider wins. */
export function channelOverrides(overrides: Overrides, channel: string, providerId?: string): Record<string, unknown> {
  return {
    ...objectAt(overrides, channel),
    ...(providerId !== undefined && objectAt(overrides, providerId)),
  };
}

/** What Herald itself reads of a channel's overrides: no parameters of a provider. */
const OWN_KEYS = { chat: ['content', 'integrationIdentifier'], push: ['title', 'content', 'integrationIdentifier'] };

/** The overrides that a chat or push provider gets: those of the channel that are not Herald's own, and its own ones. */
export function providerOverrides(
  overrides: Overrides,
  channel: 'chat' | 'push',
  providerId: string,
): Record<string, unknown> {
  const general = Object.entries(objectAt(overrides, channel) ?? {}).filter(
    ([key]) => !OWN_KEYS[channel].includes(key),
  );
  return { ...Object.fromEntries(general), ...objectAt(overrides, providerId) };
}

/** The integration that a trigger chooses for a channel. */
export function chosenIntegration(overrides: Overrides, channel: string): string | undefined {
  const identifier = objectAt(overrides, channel)?.['integrationIdentifier'];
  return typeof identifier === 'string' && identifier !== '' ? identifier : undefined;
}

/** The layout that a trigger chooses for mails. */
export function chosenLayout(overrides: Overrides): string | undefined {
  const identifier = overrides['layoutIdentifier'] ?? objectAt(overrides, 'email')?.['layoutIdentifier'];
  return typeof identifier === 'string' && identifier !== '' ? identifier : undefined;
}

function objectAt(overrides: Overrides, key: string): Record<string, unknown> | undefined {
  const value = Object.hasOwn(overrides, key) ? overrides[key] : undefined;
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}
