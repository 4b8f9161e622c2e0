import type { Span } from '#libs/schedule';
import type { TriggerEventRecord } from '../records/trigger-event.js';

type Overrides = TriggerEventRecord['overrides'];

/** The span by which a trigger replaces that of regular delays and digests. It was checked when it was accepted. */
export function delayOverride(overrides: Overrides): Span | undefined {
  return objectAt(overrides, 'delay') as unknown as Span | undefined;
}

export function channelOverrides(overrides: Overrides, channel: string, providerId?: string): Record<string, unknown> {
  return {
    ...objectAt(overrides, channel),
    ...(providerId !== undefined && objectAt(overrides, providerId)),
  };
}

/** Overrides of a channel that Herald itself reads and does not hand to a provider. */
const OWN_KEYS = {
  chat: ['content', 'integrationIdentifier', 'replaces', 'replyTo'],
  push: ['title', 'content', 'integrationIdentifier'],
};

/** The overrides that a chat or push provider gets: its own, and those of the channel that Herald does not read itself. */
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

export function chosenIntegration(overrides: Overrides, channel: string): string | undefined {
  const identifier = objectAt(overrides, channel)?.['integrationIdentifier'];
  return typeof identifier === 'string' && identifier !== '' ? identifier : undefined;
}

export function chosenLayout(overrides: Overrides): string | undefined {
  const identifier = overrides['layoutIdentifier'] ?? objectAt(overrides, 'email')?.['layoutIdentifier'];
  return typeof identifier === 'string' && identifier !== '' ? identifier : undefined;
}

function objectAt(overrides: Overrides, key: string): Record<string, unknown> | undefined {
  return Object.hasOwn(overrides, key) ? recordAt(overrides, key) : undefined;
}

export function textAt(values: object, key: string): string | undefined {
  const value = (values as Readonly<Record<string, unknown>>)[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function textsAt(values: object, key: string): string[] {
  const value = (values as Readonly<Record<string, unknown>>)[key];
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((entry): entry is string => typeof entry === 'string' && entry !== '');
}

export function recordAt(values: object, key: string): Record<string, unknown> | undefined {
  const value = (values as Readonly<Record<string, unknown>>)[key];
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

export function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
