import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import type { TenantContext } from '#libs/common';
import { CREATION, cursorOf, type KeysetOrder, linkedRows } from '#libs/persistence';
import { type ResolvedSubscriber, SubscribersService } from '../../../audience/subscribers/index.js';
import type { ResolvedWorkflow } from '../../../content/workflows/index.js';
import { type NotificationRecord, NotificationStore } from '../records/notification.js';
import { type TriggerEventRecord, TriggerEventStore } from '../records/trigger-event.js';
import { toRunWorkflow } from '../records/workflow-version.js';
import { EventFactsReader } from '../run/run-loader.js';
import { Rehearsal, type RehearsedRun } from './rehearsal.js';

export type RunPlace = Pick<NotificationRecord, '_id' | 'createdAt'>;
type PlannedRun = Pick<NotificationRecord, '_id' | '_eventId' | '_subscriberId' | 'isTest'>;

/** A run that can be rehearsed: its event and its subscriber are still stored. */
export interface PastRun {
  readonly notificationId: string;
  readonly event: TriggerEventRecord;
  readonly subscriber: ResolvedSubscriber;
}

interface RunsOfWorkflow {
  readonly workflowId: string;
  readonly since: Date;
}

const NEWEST_FIRST: KeysetOrder = { fields: CREATION, direction: 'DESC' };
/** Not more than an answer of a list may take. */
const MAX_TIME_MS = 5_000;

/** Runs of the past, rehearsed again with what is stored now of subscribers, preferences, tenants and integrations. */
@Injectable()
export class PastRuns {
  constructor(
    private readonly notifications: NotificationStore,
    private readonly events: TriggerEventStore,
    private readonly subscribers: SubscribersService,
    private readonly facts: EventFactsReader,
    private readonly rehearsal: Rehearsal,
  ) {}

  /** @param limit stops counting here */
  count(tenant: TenantContext, runs: RunsOfWorkflow, limit: number): Promise<number> {
    return this.notifications.collection.countDocuments(filterOf(tenant, runs), { limit, maxTimeMS: MAX_TIME_MS });
  }

  /** Newest first. @returns undefined for a cursor that is none */
  async places(
    tenant: TenantContext,
    runs: RunsOfWorkflow,
    { after, limit }: { readonly after: string | undefined; readonly limit: number },
  ): Promise<readonly RunPlace[] | undefined> {
    const { createdAt, ...own } = filterOf(tenant, runs);
    const found = await linkedRows<RunPlace>(NEWEST_FIRST, { after, limit }, ({ where, sort, limit: most }) => {
      const filter = { ...own, ...where, createdAt: { ...createdAt, ...(where['createdAt'] as object | undefined) } };
      const options = { projection: { createdAt: 1 }, sort, limit: most, maxTimeMS: MAX_TIME_MS };
      return this.notifications.collection.find<RunPlace>(filter, options).toArray();
    });
    return found?.rows;
  }

  cursorAfter(place: RunPlace): string {
    return cursorOf(NEWEST_FIRST, place);
  }

  /** In the order of the places, without tests and without runs of which something is no longer stored. */
  async read(tenant: TenantContext, places: readonly RunPlace[]): Promise<PastRun[]> {
    const filter = { _id: { $in: places.map(({ _id }) => _id) }, _environmentId: environmentOf(tenant) };
    const fields = { _eventId: 1, _subscriberId: 1, isTest: 1 };
    const rows = await this.notifications.collection.find(filter).project<PlannedRun>(fields).toArray();
    const real = rows.filter(({ isTest }) => isTest !== true);
    const eventIds = new Map(real.map(({ _eventId }) => [_eventId.toHexString(), _eventId]));
    const [events, subscribers] = await Promise.all([
      this.events.findByIds([...eventIds.values()]),
      this.subscribers.findByIds(
        tenant,
        real.map(({ _subscriberId }) => _subscriberId.toHexString()),
      ),
    ]);
    const byId = new Map(events.map((event) => [event._id.toHexString(), event]));
    const found = new Map(
      real.flatMap(({ _id, _eventId, _subscriberId }): [string, PastRun][] => {
        const event = byId.get(_eventId.toHexString());
        const subscriber = subscribers.get(_subscriberId.toHexString());
        const notificationId = _id.toHexString();
        return event && subscriber ? [[notificationId, { notificationId, event, subscriber }]] : [];
      }),
    );
    return places.flatMap(({ _id }) => found.get(_id.toHexString()) ?? []);
  }

  /**
   * Rehearses runs of one event with a workflow. Webhooks of conditions are not asked: a run that needs one stays active.
   * @returns by the record ids of the subscribers; without some if the messages together are very large
   * @throws {RenderingIsBusy}
   */
  async rehearse(
    { attachments: _files, ...event }: TriggerEventRecord,
    workflow: ResolvedWorkflow,
    recipients: readonly ResolvedSubscriber[],
  ): Promise<Map<string, RehearsedRun>> {
    const facts = await this.facts.readFor(event, toRunWorkflow(workflow));
    const runs = await this.rehearsal.rehearse(facts, recipients, { asksWebhooks: false });
    return new Map(runs.map((run) => [run.run.facts.subscriber._id, run]));
  }
}

function filterOf(
  tenant: TenantContext,
  { workflowId, since }: RunsOfWorkflow,
): { _environmentId: Types.ObjectId; _templateId: Types.ObjectId; createdAt: { $gte: Date } } {
  const _templateId = new Types.ObjectId(workflowId);
  return { _environmentId: environmentOf(tenant), _templateId, createdAt: { $gte: since } };
}

function environmentOf({ environmentId }: TenantContext): Types.ObjectId {
  return new Types.ObjectId(environmentId);
}
