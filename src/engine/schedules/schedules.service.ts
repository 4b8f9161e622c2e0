import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Caller, Clock, type TenantContext, timeOrderedUuid } from '#libs/common';
import { Page, ValidationFailed } from '#libs/http-kit';
import {
  NEWEST_FIRST,
  ownedBy,
  partialUpdate,
  softDeleted,
  type TenantModel,
  toObjectId,
  withoutNullish,
} from '#libs/persistence';
import { hasZone, momentOf, nextOccurrences, type Recurrence, RECURRENCE_KEYS, SUBSCRIBER_ZONE } from '#libs/schedule';
import { isGiven } from '#libs/validation';
import type { DryRunResponse, TriggerResponse } from '../events/index.js';
import { countingZone, nextAfter, occurrencesOf, type Timing } from './occurrences.js';
import type { CreateScheduleDto, ListSchedulesQuery, PreviewScheduleDto, UpdateScheduleDto } from './schedule.dto.js';
import { type OccurrenceResponse, type ScheduleResponse, showOccurrence, showSchedule } from './schedule.response.js';
import { dueAt, NO_WORK, Schedule } from './schedule.schema.js';
import { ScheduleReferences } from './schedule-references.js';
import { ScheduleTrigger } from './schedule-trigger.js';
import { ScheduleWorker } from './schedule-worker.js';
import { ScheduleChangedMeanwhile, ScheduleNeverOccurs, ScheduleNotFound } from './schedules.errors.js';

const PREVIEWED = 10;
const MAX_ATTEMPTS = 5;

@Injectable()
export class SchedulesService {
  constructor(
    @InjectModel(Schedule.name) private readonly schedules: TenantModel<Schedule>,
    private readonly references: ScheduleReferences,
    private readonly trigger: ScheduleTrigger,
    private readonly worker: ScheduleWorker,
    private readonly clock: Clock,
  ) {}

  /** @throws {ValidationFailed} @throws {ScheduleNeverOccurs} */
  async create(caller: Caller, dto: CreateScheduleDto): Promise<ScheduleResponse> {
    await this.references.assert(caller, dto);
    const { name, workflow, tenant, actor } = dto;
    const timing = this.timingOf(dto);
    const nextAt = nextAfter(timing, this.clock.now());
    if (nextAt === undefined) throw new ScheduleNeverOccurs();
    const row = await this.schedules.create({
      ...ownedBy(caller),
      workflow,
      subscribers: [...new Set(dto.subscribers ?? [])],
      topics: [...new Set(dto.topics ?? [])],
      segments: [...new Set(dto.segments ?? [])],
      payload: dto.payload ?? {},
      ...withoutNullish({ name, tenant, actor }),
      ...timing,
      missed: dto.missed ?? 'run_once',
      status: 'active',
      ...dueAt(nextAt),
      by: ownerOf(caller),
    });
    this.worker.wake();
    return showSchedule(row.toObject());
  }

  /** Newest first. */
  async list(tenant: TenantContext, query: ListSchedulesQuery): Promise<Page<ScheduleResponse>> {
    const { page, limit, subscriberId, topic, workflow, status } = query;
    const where = withoutNullish({ subscribers: subscriberId, topics: topic, workflow, status });
    const { rows, hasMore } = await this.schedules.page(tenant, where, { page, limit, sort: NEWEST_FIRST });
    return new Page(
      rows.map((row) => showSchedule(row)),
      page,
      limit,
      hasMore,
    );
  }

  /** @throws {ScheduleNotFound} */
  async get(tenant: TenantContext, id: string): Promise<ScheduleResponse> {
    return showSchedule(await this.find(tenant, id));
  }

  /** @throws {ScheduleNotFound} @throws {ValidationFailed} @throws {ScheduleNeverOccurs} @throws {ScheduleChangedMeanwhile} */
  async update(caller: Caller, id: string, dto: UpdateScheduleDto): Promise<ScheduleResponse> {
    const { name, tenant, actor, payload, subscribers, topics, segments, missed } = dto;
    const change = partialUpdate({
      name,
      workflow: dto.workflow ?? undefined,
      tenant,
      actor,
      payload: payload === null ? {} : payload,
      subscribers: subscribers === null ? [] : subscribers,
      topics: topics === null ? [] : topics,
      segments: segments === null ? [] : segments,
      missed: missed === null ? 'run_once' : missed,
    });
    return this.change(caller, id, async (row) => {
      await this.references.assert(caller, {
        workflow: dto.workflow ?? row.workflow,
        subscribers: subscribers === undefined ? row.subscribers : subscribers,
        topics: topics === undefined ? row.topics : topics,
        segments: segments === undefined ? row.segments : segments,
      });
      const timing = this.timingOf(dto, row);
      const timed = {
        $set: { ...change.$set, ...timing, by: ownerOf(caller) },
        $unset: { ...change.$unset, ...goneIn(timing) },
      };
      const now = this.clock.now();
      // What is due already is triggered, and what comes after it follows the new rule.
      if (row.status === 'paused' || (row.nextAt !== undefined && row.nextAt <= now)) return timed;
      const nextAt = nextAfter(timing, now);
      if (nextAt === undefined) throw new ScheduleNeverOccurs();
      return { ...timed, $set: { ...timed.$set, status: 'active', ...dueAt(nextAt) } };
    });
  }

  /** @throws {ScheduleNotFound} @throws {ScheduleChangedMeanwhile} */
  pause(tenant: TenantContext, id: string): Promise<ScheduleResponse> {
    return this.change(tenant, id, ({ status }) =>
      status === 'active' ? { $set: { status: 'paused' }, $unset: NO_WORK } : undefined,
    );
  }

  /** What would have occurred in the meantime does not. @throws {ScheduleNotFound} @throws {ScheduleChangedMeanwhile} */
  resume(caller: Caller, id: string): Promise<ScheduleResponse> {
    return this.change(caller, id, (row) => {
      if (row.status !== 'paused') return undefined;
      const nextAt = nextAfter(row, this.clock.now());
      if (nextAt === undefined) return { $set: { status: 'ended' }, $unset: {} };
      return { $set: { status: 'active', ...dueAt(nextAt) }, $unset: {} };
    });
  }

  /** Triggers it now, besides its occurrences. @throws {ScheduleNotFound} and what a trigger throws */
  async run(caller: Caller, id: string): Promise<TriggerResponse> {
    const transactionId = `schedule:${id}:${timeOrderedUuid()}`;
    for (;;) {
      const row = await this.find(caller, id);
      const response = await this.trigger.trigger({ ...row, by: ownerOf(caller) }, transactionId);
      if (response !== undefined) return response;
    }
  }

  /** What an occurrence would do now. @param limit recipients to show @throws {ScheduleNotFound} and what a trigger throws */
  async dryRun(caller: Caller, id: string, limit: number): Promise<DryRunResponse> {
    const row = await this.find(caller, id);
    return this.trigger.dryRun({ ...row, by: ownerOf(caller) }, limit);
  }

  /** The next ten. @throws {ScheduleNotFound} */
  async occurrences(tenant: TenantContext, id: string): Promise<OccurrenceResponse[]> {
    return this.previewOf(await this.find(tenant, id));
  }

  /** @throws {ValidationFailed} */
  preview(dto: PreviewScheduleDto): OccurrenceResponse[] {
    return this.previewOf(this.timingOf(dto));
  }

  /** @throws {ScheduleNotFound} */
  async remove(tenant: TenantContext, id: string): Promise<void> {
    const { $set } = softDeleted(tenant.apiKeyId, this.clock.now());
    const own = { _id: id, _environmentId: tenant.environmentId };
    const { matchedCount } = await this.schedules.updateOne(own, { $set, $unset: NO_WORK, $inc: { __v: 1 } });
    if (matchedCount === 0) throw new ScheduleNotFound(id);
  }

  private previewOf(timing: Timing): OccurrenceResponse[] {
    const found = nextOccurrences(occurrencesOf(timing), this.clock.now(), PREVIEWED);
    return found.map((at) => showOccurrence(at, timing.timezone));
  }

  private async find(tenant: TenantContext, id: string): Promise<Schedule> {
    const row = await this.schedules.one(tenant, { _id: toObjectId(id) });
    if (row === undefined) throw new ScheduleNotFound(id);
    return row;
  }

  /** @param build what to write, undefined for nothing; begins again if another change comes in between */
  private async change(
    tenant: TenantContext,
    id: string,
    build: (row: Schedule) => Change | undefined | Promise<Change | undefined>,
  ): Promise<ScheduleResponse> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const row = await this.find(tenant, id);
      const change = await build(row);
      if (change === undefined) return showSchedule(row);
      const changed = await this.schedules
        .findOneAndUpdate(
          { _id: id, _environmentId: tenant.environmentId, __v: row.__v },
          { ...change, $inc: { __v: 1 } },
          { returnDocument: 'after' },
        )
        .lean()
        .exec();
      if (changed === null) continue;
      this.worker.wake();
      return showSchedule(changed);
    }
    throw new ScheduleChangedMeanwhile(id);
  }

  /** @throws {ValidationFailed} */
  private timingOf(dto: PreviewScheduleDto, row?: Schedule): Timing {
    const rule = dto.rule === undefined ? row?.rule : dto.rule;
    const timezone = (dto.timezone === undefined ? row?.timezone : dto.timezone) ?? undefined;
    assertLocalStart(dto, { isOnce: !isGiven(rule), timezone, known: row?.timezone });
    const zone = countingZone(timezone);
    const endAt = dto.endAt === undefined ? row?.endAt : dto.endAt;
    const timing: Timing = {
      startAt: isGiven(dto.startAt) ? momentOf(dto.startAt, zone) : (row?.startAt ?? this.clock.now()),
      ...(isGiven(rule) && { rule: ruleOf(rule) }),
      ...(timezone !== undefined && { timezone }),
      ...(isGiven(endAt) && { endAt: typeof endAt === 'string' ? momentOf(endAt, zone) : endAt }),
    };
    occurrencesOf(timing);
    return timing;
  }
}

interface Change {
  readonly $set: Record<string, unknown>;
  readonly $unset: Record<string, 1>;
}

function goneIn(timing: Timing): Record<string, 1> {
  const optional = ['rule', 'timezone', 'endAt'] as const;
  return Object.fromEntries(optional.filter((key) => timing[key] === undefined).map((key) => [key, 1]));
}

/** A single time in the zone of each subscriber is a time of day, not a moment. @throws {ValidationFailed} */
function assertLocalStart(
  { startAt }: PreviewScheduleDto,
  { isOnce, timezone, known }: { isOnce: boolean; timezone: string | undefined; known: string | undefined },
): void {
  if (!isOnce || timezone !== SUBSCRIBER_ZONE) return;
  const isLocal = isGiven(startAt) ? !hasZone(startAt) : known === SUBSCRIBER_ZONE;
  if (!isLocal) {
    throw new ValidationFailed([
      'startAt must be a time without a zone, such as 2099-01-31T09:00:00, to occur once in the zone of each subscriber',
    ]);
  }
}

function ruleOf(sent: Recurrence): Recurrence {
  return withoutNullish(Object.fromEntries(RECURRENCE_KEYS.map((key) => [key, sent[key]])));
}

function ownerOf({ apiKeyId, userId, scopes }: Caller): Schedule['by'] {
  return { apiKeyId, userId, scopes };
}
