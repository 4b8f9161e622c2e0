import { Injectable } from '@nestjs/common';
import { isDots, NAME_LENGTH, ValidationFailed } from '#libs/http-kit';
import { withoutNullish } from '#libs/persistence';
import { faultsOf, isObject } from '#libs/validation';
import type { TenantContext } from '#libs/common';
import type { RecipientEntry, RecipientSources } from '../delivery/index.js';
import {
  type DescribedSubscriber,
  segment,
  type SegmentRecipient,
  subscriber,
  topic,
  type TopicRecipient,
} from './trigger.schema.js';
import { IntegrationsService } from '../../channels/integrations/index.js';
import { givenProfile } from '../../audience/subscribers/index.js';
import { type MeantSegment, SegmentsService } from '../../audience/segments/index.js';
import { TopicsService } from '../../audience/topics/index.js';

export interface ParsedRecipients {
  readonly recipients: RecipientSources;
  readonly faults: readonly string[];
  /** For faults that only the store can detect. */
  readonly topicPaths: ReadonlyMap<string, string>;
  readonly segmentPaths: ReadonlyMap<string, string>;
}

/** Far more than a response shows. */
const MAX_FAULTS = 1_000;
/** Each is looked for in all subscribers. */
const MAX_SEGMENTS = 20;

/**
 * A recipient named twice counts once, with its last description; a topic named twice is without all whom it excludes. Nulls in a list
 * are ignored.
 */
export function parseRecipients(to: unknown, path = 'to'): ParsedRecipients {
  const list = new Map<string, RecipientEntry>();
  const topics = new Map<string, string>();
  const segments = new Map<string, string>();
  const excluded = new Map<string, Set<string>>();
  const faults: string[] = [];
  let rate = Infinity;
  const entries: readonly unknown[] = Array.isArray(to) ? to : [to];
  for (let place = 0; place < entries.length && faults.length < MAX_FAULTS; place += 1) {
    const entry = entries[place];
    if (entry === null && Array.isArray(to)) continue;
    if (isPlainId(entry)) {
      list.set(entry, { subscriberId: entry });
      continue;
    }
    const at = Array.isArray(to) ? `${path}.${place}` : path;
    const kind = kindOf(entry);
    const found = faultsOf(KINDS[kind], entry, at);
    if (found.length > 0) {
      faults.push(...found);
    } else if (kind === 'segment') {
      const { segmentId, perMinute } = entry as SegmentRecipient;
      rate = Math.min(rate, perMinute ?? Infinity);
      if (!segments.has(segmentId)) segments.set(segmentId, `${at}.segmentId`);
    } else if (kind === 'topic') {
      const { topicKey, exclude } = entry as TopicRecipient;
      if (!topics.has(topicKey)) topics.set(topicKey, `${at}.topicKey`);
      const without = excluded.get(topicKey) ?? new Set();
      for (const id of exclude ?? []) without.add(trimmed(id));
      excluded.set(topicKey, without);
    } else {
      const read = readSubscriber(entry as string | DescribedSubscriber);
      list.set(read.subscriberId, read);
    }
  }
  if (segments.size > MAX_SEGMENTS) faults.push(`${path} must not name more than ${MAX_SEGMENTS} segments`);
  if (faults.length === 0 && list.size + topics.size + segments.size === 0) {
    faults.push(`${path} must name at least one subscriber, topic or segment`);
  }
  const without = [...excluded].flatMap(([topicKey, ids]) =>
    ids.size === 0 ? [] : [{ topicKey, subscriberIds: [...ids] }],
  );
  const recipients = {
    list: [...list.values()],
    topics: [...topics.keys()],
    ...(without.length > 0 && { without }),
    ...(rate < Infinity && { perMinute: rate }),
  };
  return { recipients, faults, topicPaths: topics, segmentPaths: segments };
}

const KINDS = { subscriber, topic, segment } as const;

function kindOf(entry: unknown): keyof typeof KINDS {
  if (!isObject(entry)) return 'subscriber';
  if ('topicKey' in entry) return 'topic';
  return 'segmentId' in entry ? 'segment' : 'subscriber';
}

function trimmed(id: string): string {
  return id.trim();
}

/** Fast path for long lists: a plain id that needs no validation. */
function isPlainId(entry: unknown): entry is string {
  return (
    typeof entry === 'string' && entry.length <= NAME_LENGTH && entry !== '' && entry.trim() === entry && !isDots(entry)
  );
}

/** Drops unknown members. Null and an empty text in the profile are null. */
export function readSubscriber(sent: string | DescribedSubscriber): RecipientEntry {
  if (typeof sent === 'string') return { subscriberId: sent.trim() };
  const { subscriberId, channels } = sent;
  return {
    subscriberId: subscriberId.trim(),
    ...givenProfile(sent),
    ...(channels && {
      channels: channels.map(({ providerId, integrationIdentifier, credentials }) => ({
        providerId,
        credentials,
        ...withoutNullish({ integrationIdentifier }),
      })),
    }),
  };
}

/** Reports faults in the request that would otherwise fail later in a worker. */
@Injectable()
export class RecipientReader {
  constructor(
    private readonly topics: TopicsService,
    private readonly segments: SegmentsService,
    private readonly integrations: IntegrationsService,
  ) {}

  /** @throws {ValidationFailed} with every fault and its path */
  async read(tenant: TenantContext, parsed: ParsedRecipients): Promise<RecipientSources> {
    const { recipients, segmentPaths } = parsed;
    const segments = await this.segments.findExisting(tenant, [...segmentPaths.keys()]);
    const faults = [
      ...(await this.missingTopics(tenant, parsed)),
      ...missingSegments(parsed, segments),
      ...(await this.missingIntegrations(tenant, recipients)),
    ];
    if (faults.length > 0) throw new ValidationFailed(faults);
    return segmentPaths.size === 0 ? recipients : { ...recipients, segments: [...segments.values()] };
  }

  private async missingTopics(tenant: TenantContext, { topicPaths }: ParsedRecipients): Promise<string[]> {
    if (topicPaths.size === 0) return [];
    const existing = await this.topics.findExistingKeys(tenant, [...topicPaths.keys()]);
    return [...topicPaths]
      .filter(([key]) => !existing.has(key))
      .map(([key, path]) => `${path} names the topic '${key}', which does not exist. Create it with POST /v1/topics.`);
  }

  private async missingIntegrations(tenant: TenantContext, { list }: RecipientSources): Promise<string[]> {
    const named = list.flatMap(({ subscriberId, channels = [] }) =>
      channels.map(({ providerId, integrationIdentifier: identifier }) => ({ subscriberId, providerId, identifier })),
    );
    const found = await this.integrations.findActiveByProvider(tenant, named);
    return named
      .filter((_one, place) => found[place] === undefined)
      .map(
        ({ subscriberId, providerId }) =>
          `to: channels of '${subscriberId}' name the provider '${providerId}', which has no active integration here.`,
      );
  }
}

function missingSegments({ segmentPaths }: ParsedRecipients, existing: ReadonlyMap<string, MeantSegment>): string[] {
  return [...segmentPaths]
    .filter(([id]) => !existing.has(id))
    .map(([id, path]) => `${path} names the segment '${id}', which does not exist. Create it with POST /v1/segments.`);
}
