import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Types } from 'mongoose';
import { FailPoint } from '#libs/common';
import { AppException } from '#libs/http-kit';
import type { TenantModel } from '#libs/persistence';
import { localTimeOf, SUBSCRIBER_ZONE } from '#libs/schedule';
import {
  type DryRunResponse,
  DryRunService,
  EventsService,
  parseRecipients,
  TriggerEventDto,
  type TriggerResponse,
} from '../events/index.js';
import { Erasures } from '../../audience/subscribers/index.js';
import { callerOf } from './occurrences.js';
import { type LastOccurrence, Schedule } from './schedule.schema.js';

/** After the deletions were read, before the event is accepted. */
export const TRIGGERING = new FailPoint<Schedule>('schedule.trigger');

/** Triggers the workflow of a schedule as a client would. */
@Injectable()
export class ScheduleTrigger {
  constructor(
    private readonly events: EventsService,
    private readonly dryRuns: DryRunService,
    private readonly erasures: Erasures,
    @InjectModel(Schedule.name) private readonly schedules: TenantModel<Schedule>,
  ) {}

  /**
   * @param occurrence absent: now, whatever the rule
   * @returns undefined where it has to be read again, because it has changed
   * @throws what a trigger throws
   */
  async trigger(schedule: Schedule, transactionId: string, occurrence?: Date): Promise<TriggerResponse | undefined> {
    const deletionsBefore = await this.deletionsBefore(schedule);
    if (deletionsBefore === undefined) return undefined;
    await TRIGGERING.pass(schedule);
    const isOfSubscribers = schedule.timezone === SUBSCRIBER_ZONE;
    const marks = { deletionsBefore, ...(occurrence && isOfSubscribers && { localTime: localTimeOf(occurrence) }) };
    return this.events.triggerAt(callerOf(schedule), eventOf(schedule, transactionId), marks);
  }

  /** @param limit recipients to show @throws what a trigger throws @throws {RenderingIsBusy} */
  dryRun(schedule: Schedule, limit: number): Promise<DryRunResponse> {
    return this.dryRuns.run(callerOf(schedule), eventOf(schedule), limit);
  }

  async isAccepted(schedule: Schedule, transactionId: string): Promise<boolean> {
    return this.events.isAccepted(callerOf(schedule), transactionId);
  }

  /**
   * Refusals are outcomes, too: the next occurrence comes nevertheless.
   * @returns undefined where the schedule has to be read again @throws if the store is not available
   */
  async outcomeOf(schedule: Schedule, at: Date, transactionId: string): Promise<LastOccurrence | undefined> {
    try {
      const response = await this.trigger(schedule, transactionId, at);
      if (response === undefined) return undefined;
      const { status, hint } = response;
      return { at, status, transactionId, ...(status !== 'processed' && hint !== undefined && { error: hint }) };
    } catch (error) {
      if (!(error instanceof AppException)) throw error;
      return { at, status: 'error', transactionId, error: [error.messages].flat().join('; ').slice(0, 1_000) };
    }
  }

  /**
   * The deletions that were over when a schedule was read, of those whom it names: one that is over has taken the person out, so whom it
   * names has come later. @returns undefined where that is not known
   */
  private async deletionsBefore(schedule: Schedule): Promise<Types.ObjectId[] | undefined> {
    const { _id, _environmentId, __v, subscribers, actor } = schedule;
    const names = new Set(actor === undefined ? subscribers : [...subscribers, actor]);
    const noted = await this.erasures.noted({ environmentId: _environmentId.toHexString() }, [...names]);
    if (noted.length === 0) return [];
    // It was read before the deletions were.
    const unchanged = await this.schedules.collection.findOne(
      { _id, _environmentId, __v, deleted: false },
      { projection: { _id: 1 } },
    );
    return unchanged === null ? undefined : noted.flatMap(({ id, isSettled }) => (isSettled ? [id] : []));
  }
}

function eventOf(
  { workflow, payload, tenant, actor, subscribers, topics, segments = [] }: Schedule,
  transactionId?: string,
): TriggerEventDto {
  const event = new TriggerEventDto();
  event.name = workflow;
  event.to = parseRecipients([
    ...subscribers,
    ...topics.map((topicKey) => ({ type: 'Topic', topicKey })),
    ...segments.map((segmentId) => ({ type: 'Segment', segmentId })),
  ]);
  event.payload = payload;
  if (transactionId !== undefined) event.transactionId = transactionId;
  if (tenant !== undefined) event.tenant = tenant;
  if (actor !== undefined) event.actor = actor;
  return event;
}
