import { Injectable } from '@nestjs/common';
import { PreferencesService, type SubscriberPreferences } from '../../../content/preferences/index.js';
import { type ResolvedSubscriber, SubscribersService } from '../../../audience/subscribers/index.js';
import { isOnlyNamed } from '../records/descriptions.js';
import type { TriggerEventRecord } from '../records/trigger-event.js';
import { WorkflowSnapshots } from '../records/workflow-version.js';
import { tenantOf } from '../run/run.js';

/** With more recipients at a time, the engine is so busy that a read costs no time. */
const MAX_RECIPIENTS = 250;

export interface KnownRecipients {
  /** By the client's own id. */
  readonly subscribers: ReadonlyMap<string, ResolvedSubscriber>;
  /** By record id. */
  readonly preferences: ReadonlyMap<string, SubscriberPreferences>;
}

/**
 * Reads the recipients of new events while the store writes the events, so that their messages follow one write later
 * instead of after two more reads. Recipients that the trigger describes are left to the expansion, which updates them.
 */
@Injectable()
export class ReadAhead {
  private readonly readings = new WeakMap<TriggerEventRecord, Promise<KnownRecipients | undefined>>();

  constructor(
    private readonly subscribers: SubscribersService,
    private readonly preferences: PreferencesService,
    private readonly snapshots: WorkflowSnapshots,
  ) {}

  begin(events: readonly TriggerEventRecord[]): void {
    const groups = new Map<string, TriggerEventRecord[]>();
    let recipients = 0;
    for (const event of events) {
      if (!namesOnly(event)) continue;
      recipients += event.recipients.list.length;
      const key = `${event._environmentId.toHexString()}:${event.snapshotId}`;
      const group = groups.get(key);
      if (group) group.push(event);
      else groups.set(key, [event]);
    }
    if (recipients > MAX_RECIPIENTS) return;
    for (const group of groups.values()) {
      // A read that fails is repeated by the expansion.
      const reading = this.read(group).catch(() => undefined);
      for (const event of group) this.readings.set(event, reading);
    }
  }

  /** @returns undefined when nothing was read ahead, or not all recipients exist */
  async take(event: TriggerEventRecord): Promise<KnownRecipients | undefined> {
    const reading = this.readings.get(event);
    this.readings.delete(event);
    const known = await reading;
    const isComplete = event.recipients.list.every(({ subscriberId }) => known?.subscribers.has(subscriberId) === true);
    return isComplete ? known : undefined;
  }

  private async read(group: readonly TriggerEventRecord[]): Promise<KnownRecipients | undefined> {
    const [first] = group;
    if (first === undefined) return undefined;
    const tenant = tenantOf(first);
    const ids = group.flatMap(({ recipients }) => recipients.list.map(({ subscriberId }) => subscriberId));
    const subscribers = await this.subscribers.findByExternalIds(tenant, [...new Set(ids)]);
    const workflow = (await this.snapshots.find([first.snapshotId])).get(first.snapshotId);
    if (workflow === undefined) return undefined;
    const records = workflow.critical ? [] : [...subscribers.values()].map(({ _id }) => _id);
    return { subscribers, preferences: await this.preferences.forSubscribers(tenant, records, workflow.id) };
  }
}

/** All recipients are listed by their ids alone, whoever has these now, and the event creates or updates no actor. */
function namesOnly({ actor, forRecord, deletionsBefore, recipients }: TriggerEventRecord): boolean {
  const { everybody, topics, segments, list } = recipients;
  if (
    forRecord !== undefined ||
    deletionsBefore !== undefined ||
    actor !== undefined ||
    everybody === true ||
    topics.length > 0 ||
    segments !== undefined ||
    list.length > MAX_RECIPIENTS
  )
    return false;
  return list.every(isOnlyNamed);
}
