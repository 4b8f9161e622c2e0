import { NAME_LENGTH } from '#libs/http-kit';
import { withoutNullish } from '#libs/persistence';
import { faultsOf, isObject } from '#libs/validation';
import type { RecipientEntry, RecipientSources } from '../delivery/index.js';
import { type DescribedSubscriber, subscriber, topic } from './trigger.schema.js';

export interface ParsedRecipients {
  readonly recipients: RecipientSources;
  readonly faults: readonly string[];
  /** For faults that only the store can detect. */
  readonly topicPaths: ReadonlyMap<string, string>;
}

/** Far more than a response shows. */
const MAX_FAULTS = 1_000;

/** A recipient named twice counts once, with its last description. Nulls in a list are ignored. */
export function parseRecipients(to: unknown, path = 'to'): ParsedRecipients {
  const list = new Map<string, RecipientEntry>();
  const topics = new Map<string, string>();
  const faults: string[] = [];
  const entries: readonly unknown[] = Array.isArray(to) ? to : [to];
  for (let place = 0; place < entries.length && faults.length < MAX_FAULTS; place += 1) {
    const entry = entries[place];
    if (entry === null && Array.isArray(to)) continue;
    if (isPlainId(entry)) {
      list.set(entry, { subscriberId: entry });
      continue;
    }
    const at = Array.isArray(to) ? `${path}.${place}` : path;
    const isTopic = isObject(entry) && 'topicKey' in entry;
    const found = faultsOf(isTopic ? topic : subscriber, entry, at);
    if (found.length > 0) {
      faults.push(...found);
    } else if (isTopic) {
      const key = String(entry['topicKey']);
      if (!topics.has(key)) topics.set(key, `${at}.topicKey`);
    } else {
      const read = readSubscriber(entry as string | DescribedSubscriber);
      list.set(read.subscriberId, read);
    }
  }
  if (faults.length === 0 && list.size === 0 && topics.size === 0) {
    faults.push(`${path} must name at least one subscriber or topic`);
  }
  return { recipients: { list: [...list.values()], topics: [...topics.keys()] }, faults, topicPaths: topics };
}

/** Fast path for long lists: a plain id that needs no validation. */
function isPlainId(entry: unknown): entry is string {
  return typeof entry === 'string' && entry.length <= NAME_LENGTH && entry !== '' && entry.trim() === entry;
}

/** Null counts as absent; drops unknown members. */
export function readSubscriber(sent: string | DescribedSubscriber): RecipientEntry {
  if (typeof sent === 'string') return { subscriberId: sent.trim() };
  const { subscriberId, firstName, lastName, phone, avatar, email, locale, data, channels } = sent;
  return {
    subscriberId: subscriberId.trim(),
    ...withoutNullish({ firstName, lastName, phone, avatar, email, locale, data }),
    ...(channels && {
      channels: channels.map(({ providerId, integrationIdentifier, credentials }) => ({
        providerId,
        credentials,
        ...withoutNullish({ integrationIdentifier }),
      })),
    }),
  };
}
