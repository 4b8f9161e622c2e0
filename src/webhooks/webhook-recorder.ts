import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Clock, type TenantContext } from '#libs/common';
import { derivedObjectId, hasOnlyDuplicates, type TenantModel, toObjectId } from '#libs/persistence';
import { retryDelayMs } from '#libs/schedule';
import { Batcher } from '#libs/work';
import { MessageChanges, type MessageSummary } from '../messages/index.js';
import { SubscribersService } from '../subscribers/index.js';
import { type ActiveEndpoint, EndpointDirectory } from './endpoint-directory.js';
import type { Occurrence } from './occurrence.js';
import { WebhookDelivery } from './webhook-delivery.schema.js';

type Owner = Pick<TenantContext, 'organizationId' | 'environmentId'>;

/** Messages to which something happened, and what that is. */
export interface Note {
  readonly owner: Owner;
  readonly messageIds: readonly string[];
  readonly occurrencesOf: (message: MessageSummary) => readonly Occurrence[];
  /** The occurrences are read from the message, so they may be old: endpoints do not hear what was before them. */
  readonly isDerived?: boolean;
}

const BATCH = 1_000;
const TRIES = 5;
const BETWEEN_TRIES = { baseMs: 200, capMs: 3_000 };

/**
 * Makes deliveries of what happened to messages: one row for each endpoint that wants to hear it. The rows are the
 * truth; noting the same again adds nothing. Notes that come at the same time are written together.
 */
@Injectable()
export class WebhookRecorder {
  private readonly batcher = new Batcher<Note, undefined>((notes) => this.writeStubbornly(notes), {
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

  /** Resolves when the deliveries are stored; rejects when the store does not take them after several tries. */
  async note(note: Note): Promise<void> {
    await this.batcher.submit(note);
  }

  /** @param listener called whenever there is something new to deliver */
  whenWritten(listener: () => void): void {
    this.onWritten = listener;
  }

  /** A store that is away for a moment must not lose what happened meanwhile. */
  private async writeStubbornly(notes: readonly Note[]): Promise<undefined[]> {
    for (let tries = 1; ; tries += 1) {
      try {
        await this.write(notes);
        return notes.map(() => undefined);
      } catch (error) {
        if (tries === TRIES) throw error;
        await pause(retryDelayMs(tries, BETWEEN_TRIES));
      }
    }
  }

  private async write(notes: readonly Note[]): Promise<void> {
    const byEnvironment = new Map<string, Note[]>();
    for (const note of notes) {
      const { environmentId } = note.owner;
      byEnvironment.set(environmentId, [...(byEnvironment.get(environmentId) ?? []), note]);
    }
    const rows = await Promise.all([...byEnvironment.values()].map((group) => this.rowsOf(group)));
    if (rows.every(({ length }) => length === 0)) return;
    try {
      await this.deliveries.collection.insertMany(rows.flat(), { ordered: false });
    } catch (error) {
      if (!hasOnlyDuplicates(error)) throw error;
    }
    this.onWritten();
  }

  /** Rows for the notes of one environment. */
  private async rowsOf(notes: readonly Note[]): Promise<NewDelivery[]> {
    const [first] = notes;
    if (first === undefined) return [];
    const { owner } = first;
    const endpoints = await this.directory.activeOf(owner.environmentId);
    if (endpoints.length === 0) return [];
    const messages = await this.messages.findByIds(
      owner,
      notes.flatMap(({ messageIds }) => messageIds),
    );
    const people = await this.subscribers.findByIds(owner, [
      ...new Set([...messages.values()].map(({ _subscriberId }) => _subscriberId)),
    ]);
    const now = this.clock.now();
    const rows = notes.flatMap(({ messageIds, occurrencesOf, isDerived }) =>
      messageIds.flatMap((id) => {
        const message = messages.get(id);
        if (message === undefined) return [];
        const subscriberId = people.get(message._subscriberId)?.subscriberId;
        return occurrencesOf(message).flatMap((occurrence) =>
          endpoints
            .filter(
              ({ events, activeSince }) => events.has(occurrence.type) && (!isDerived || occurrence.at >= activeSince),
            )
            .map((endpoint) => newDelivery(owner, endpoint, { message, subscriberId, occurrence }, now)),
        );
      }),
    );
    return [...new Map(rows.map((row) => [row._id.toHexString(), row])).values()];
  }
}

type NewDelivery = Omit<WebhookDelivery, 'deletedAt' | 'deletedBy'>;

function newDelivery(
  owner: Owner,
  endpoint: ActiveEndpoint,
  told: { message: MessageSummary; subscriberId: string | undefined; occurrence: Occurrence },
  now: Date,
): NewDelivery {
  const { message, subscriberId, occurrence } = told;
  const { type, at, key, response } = occurrence;
  const messageId = toObjectId(message._id);
  return {
    _id: derivedObjectId(messageId, endpoint.id, type, key),
    _organizationId: toObjectId(owner.organizationId),
    _environmentId: toObjectId(owner.environmentId),
    _endpointId: toObjectId(endpoint.id),
    _messageId: messageId,
    type,
    occurredAt: at,
    data: {
      message: { ...message, ...(subscriberId !== undefined && { subscriberId }) },
      ...(response !== undefined && { response }),
    },
    status: 'pending',
    attempt: 0,
    wakeAt: now,
    deleted: false,
    createdAt: now,
    updatedAt: now,
    __v: 0,
  };
}
