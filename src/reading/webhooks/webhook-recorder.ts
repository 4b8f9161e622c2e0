import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Types } from 'mongoose';
import { Clock, type TenantContext } from '#libs/common';
import { derivedObjectId, hasOnlyDuplicates, type TenantModel, toObjectId } from '#libs/persistence';
import { retryDelayMs } from '#libs/schedule';
import { Batcher } from '#libs/work';
import { MessageChanges, type MessageSummary } from '../../engine/messages/index.js';
import { SubscribersService } from '../../management/subscribers/index.js';
import { type ActiveEndpoint, EndpointDirectory } from './endpoint-directory.js';
import { WebhookDelivery } from './webhook-delivery.schema.js';
import type { WebhookEventDataResponse } from './webhook-event.response.js';
import type { WebhookEvent } from './webhook-events.js';

type Owner = Pick<TenantContext, 'organizationId' | 'environmentId'>;

export interface Recording {
  readonly owner: Owner;
  readonly messageIds: readonly string[];
  readonly eventsOf: (message: MessageSummary) => readonly WebhookEvent[];
  /** Derived events may be old: endpoints get none from before their activation. */
  readonly isDerived?: boolean;
}

const BATCH = 1_000;
const MAX_TRIES = 5;
const RETRY_PAUSE = { baseMs: 200, capMs: 3_000 };

/** Idempotent. Concurrent recordings are written together. */
@Injectable()
export class WebhookRecorder {
  private readonly batcher = new Batcher<Recording, undefined>((recordings) => this.writeWithRetries(recordings), {
    size: BATCH,
    concurrency: 2,
  });
  private onWritten: () => void = () => undefined;

  constructor(
    @InjectModel(WebhookDelivery.name) private readonly deliveries: TenantModel<WebhookDelivery>,
    private readonly directory: EndpointDirectory,
    private readonly messages: MessageChanges,
    private readonly subscribers: SubscribersService,
    private readonly clock: Clock,
  ) {}

  /** Rejects when the store does not take the deliveries after several tries. */
  async record(recording: Recording): Promise<void> {
    await this.batcher.submit(recording);
  }

  /** Of an event that is about something else than a message. @throws when the store does not take the deliveries */
  async recordOther(owner: Owner, event: OtherEvent): Promise<void> {
    const endpoints = await this.directory.activeOf(owner.environmentId);
    const about = { id: toObjectId(event.aboutId), data: event.data };
    const now = this.clock.now();
    await this.insert(
      endpoints
        .filter(({ events }) => events.has(event.type))
        .map((endpoint) => newDelivery(owner, endpoint, { about, event }, now)),
    );
  }

  whenWritten(listener: () => void): void {
    this.onWritten = listener;
  }

  /** Events must survive a short outage of the store. */
  private async writeWithRetries(recordings: readonly Recording[]): Promise<undefined[]> {
    for (let tries = 1; ; tries += 1) {
      try {
        await this.write(recordings);
        return recordings.map(() => undefined);
      } catch (error) {
        if (tries === MAX_TRIES) throw error;
        await pause(retryDelayMs(tries, RETRY_PAUSE));
      }
    }
  }

  private async write(recordings: readonly Recording[]): Promise<void> {
    const byEnvironment = new Map<string, Recording[]>();
    for (const recording of recordings) {
      const { environmentId } = recording.owner;
      byEnvironment.set(environmentId, [...(byEnvironment.get(environmentId) ?? []), recording]);
    }
    const rows = await Promise.all([...byEnvironment.values()].map((group) => this.rowsOf(group)));
    await this.insert(rows.flat());
  }

  private async insert(rows: readonly NewDelivery[]): Promise<void> {
    if (rows.length === 0) return;
    try {
      await this.deliveries.collection.insertMany([...rows], { ordered: false });
    } catch (error) {
      if (!hasOnlyDuplicates(error)) throw error;
    }
    this.onWritten();
  }

  private async rowsOf(recordings: readonly Recording[]): Promise<NewDelivery[]> {
    const [first] = recordings;
    if (first === undefined) return [];
    const { owner } = first;
    const endpoints = await this.directory.activeOf(owner.environmentId);
    if (endpoints.length === 0) return [];
    const messages = await this.messages.findByIds(
      owner,
      recordings.flatMap(({ messageIds }) => messageIds),
    );
    const subscribers = await this.subscribers.findByIds(owner, [
      ...new Set([...messages.values()].map(({ _subscriberId }) => _subscriberId)),
    ]);
    const now = this.clock.now();
    const rows = recordings.flatMap(({ messageIds, eventsOf, isDerived }) =>
      messageIds.flatMap((id) => {
        const message = messages.get(id);
        if (message === undefined) return [];
        const subscriberId = subscribers.get(message._subscriberId)?.subscriberId;
        return eventsOf(message).flatMap((event) =>
          endpoints
            .filter(({ events, activeSince }) => events.has(event.type) && (!isDerived || event.at >= activeSince))
            .map((endpoint) =>
              newDelivery(owner, endpoint, { about: aboutMessage(message, subscriberId, event), event }, now),
            ),
        );
      }),
    );
    return [...new Map(rows.map((row) => [row._id.toHexString(), row])).values()];
  }
}

/** An event whose data are not those of a message. */
export interface OtherEvent extends Pick<WebhookEvent, 'type' | 'at' | 'key'> {
  /** 24 hex digits: the message that led to it, which may be no longer stored, or another record. */
  readonly aboutId: string;
  readonly data: object;
}

interface About {
  readonly id: Types.ObjectId;
  readonly data: object;
}

function aboutMessage(
  message: MessageSummary,
  subscriberId: string | undefined,
  { response }: Pick<WebhookEvent, 'response'>,
): About {
  return {
    id: toObjectId(message._id),
    data: {
      message: { ...message, ...(subscriberId !== undefined && { subscriberId }) },
      ...(response !== undefined && { response }),
    } satisfies WebhookEventDataResponse,
  };
}

type NewDelivery = Omit<WebhookDelivery, 'deletedAt' | 'deletedBy'>;

function newDelivery(
  owner: Owner,
  endpoint: ActiveEndpoint,
  { about, event }: { readonly about: About; readonly event: Pick<WebhookEvent, 'type' | 'at' | 'key'> },
  now: Date,
): NewDelivery {
  const { type, at, key } = event;
  return {
    _id: derivedObjectId(about.id, endpoint.id, type, key),
    _organizationId: toObjectId(owner.organizationId),
    _environmentId: toObjectId(owner.environmentId),
    _endpointId: toObjectId(endpoint.id),
    _messageId: about.id,
    type,
    occurredAt: at,
    data: { ...about.data },
    status: 'pending',
    attempt: 0,
    wakeAt: now,
    dueSince: now,
    deleted: false,
    createdAt: now,
    updatedAt: now,
    __v: 0,
  };
}
