import type { RecipientEntry, TriggerEventRecord } from './trigger-event.js';

/** The listed recipients as they are to be stored: by their ids alone where the event may not change subscribers. */
export function storedEntries(
  event: TriggerEventRecord,
  entries: readonly RecipientEntry[],
): readonly RecipientEntry[] {
  return event.forThisEventOnly === true ? entries.map(({ subscriberId }) => ({ subscriberId })) : entries;
}

/** All runs of an event ask. */
const descriptions = new WeakMap<TriggerEventRecord, ReadonlyMap<string, RecipientEntry>>();

/** What an event says of a recipient for itself alone; undefined where that is nothing, or stored. */
export function ownDescription(event: TriggerEventRecord, subscriberId: string): RecipientEntry | undefined {
  if (event.forThisEventOnly !== true) return undefined;
  const known =
    descriptions.get(event) ?? new Map(event.recipients.list.filter((entry) => !isOnlyNamed(entry)).map(byId));
  descriptions.set(event, known);
  return known.get(subscriberId);
}

/** By its id, and not described. */
export function isOnlyNamed(entry: RecipientEntry): boolean {
  return Object.keys(entry).every((key) => key === 'subscriberId');
}

function byId(entry: RecipientEntry): [string, RecipientEntry] {
  return [entry.subscriberId, entry];
}
