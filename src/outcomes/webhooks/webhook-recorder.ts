import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Types } from 'mongoose';
import { Clock, type TenantContext } from '#libs/common';
import { derivedObjectId, hasOnlyDuplicates, type TenantModel, toObjectId } from '#libs/persistence';
import { retryDelayMs } from '#libs/schedule';
import { Batcher } from '#libs/work';
import { MessageChanges, type MessageSummary } from '../../engine/messages/store/index.js';
import { SubscribersService } from '../../audience/subscribers/index.js';
import { type ActiveEndpoint, EndpointDirectory } from './endpoint-directory.js';
import { WebhookDelivery } from './webhook-delivery.schema.js';
import type { EventCompletedDataResponse, WebhookEventDataResponse } from './webhook-event.response.js';
import {
  type DeliveredType,
  EVENT_COMPLETED,
  WEBHOOK_TEST,
  type WebhookEvent,
  type WebhookEventType,
} from './webhook-events.js';

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

  /** Once for each endpoint, however often it is called. */
  async recordEnd(owner: Owner, id: Types.ObjectId, event: EventCompletedDataResponse['event']): Promise<void> {
    const now = this.clock.now();
    const asked = (await this.directory.activeOf(owner.environmentId)).filter(({ events }) =>
      events.has(EVENT_COMPLETED),
    );
    const data = { event: { ...event } } satisfies EventCompletedDataResponse;
    const about = { type: EVENT_COMPLETED, at: now, key: '' } as const;
    await this.insert(asked.map((endpoint) => newDelivery(owner, endpoint, { id, about, data }, now)));
  }

  /** Of an event that is about neither. @param id 24 hex digits of a record that it is about */
  async recordOther(
    owner: Owner,
    id: string,
    about: { readonly type: WebhookEventType; readonly at: Date; readonly key: string },
    data: object,
  ): Promise<void> {
    const asked = (await this.directory.activeOf(owner.environmentId)).filter(({ events }) => events.has(about.type));
    const content = { id: toObjectId(id), about, data: { ...data } };
    const now = this.clock.now();
    await this.insert(asked.map((endpoint) => newDelivery(owner, endpoint, content, now)));
  }

  /** @returns the id of the delivery */
  async recordTest(owner: Owner, endpointId: string): Promise<Types.ObjectId> {
    const now = this.clock.now();
    const about = { type: WEBHOOK_TEST, at: now, key: String(now.getTime()) } as const;
    const delivery = newDelivery(owner, { id: endpointId }, { id: toObjectId(endpointId), about, data: {} }, now);
    await this.insert([delivery]);
    return delivery._id;
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
            .map((endpoint) => newDelivery(owner, endpoint, aboutMessage(message, subscriberId, event), now)),
        );
      }),
    );
    return [...new Map(rows.map((row) => [row._id.toHexString(), row])).values()];
  }
}

type NewDelivery = Omit<WebhookDelivery, 'deletedAt' | 'deletedBy'>;

interface Content {
  /** Of the message or the event. */
  readonly id: Types.ObjectId;
  readonly about: { readonly type: DeliveredType; readonly at: Date; readonly key: string };
  readonly data: Record<string, unknown>;
}

function aboutMessage(message: MessageSummary, subscriberId: string | undefined, event: WebhookEvent): Content {
  const { response, machine, url } = event;
  const data = {
    message: { ...message, ...(subscriberId !== undefined && { subscriberId }) },
    ...(response !== undefined && { response }),
    ...(machine !== undefined && { machine }),
    ...(url !== undefined && { url }),
  } satisfies WebhookEventDataResponse;
  return { id: toObjectId(message._id), about: event, data };
}

function newDelivery(
  owner: Owner,
  endpoint: Pick<ActiveEndpoint, 'id'>,
  { id, about: { type, at, key }, data }: Content,
  now: Date,
): NewDelivery {
  return {
    _id: derivedObjectId(id, endpoint.id, type, key),
    _organizationId: toObjectId(owner.organizationId),
    _environmentId: toObjectId(owner.environmentId),
    _endpointId: toObjectId(endpoint.id),
    _messageId: id,
    type,
    occurredAt: at,
    data,
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
