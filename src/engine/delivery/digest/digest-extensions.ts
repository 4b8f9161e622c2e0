import { Injectable } from '@nestjs/common';
import { shardsOf } from '#libs/work';
import { NOTIFICATION_SHARD_KEY, type NotificationRecord, NotificationStore } from '../records/notification.js';
import { EventRetention } from '../records/retention.js';
import { TriggerEventStore } from '../records/trigger-event.js';
import { type Run, RunClock, workflowStep } from '../run/run.js';
import { StepWitness } from '../run/step-handler.js';
import { StepRecorder } from '../run/step-recorder.js';
import { currentStep, type StepOutcome } from '../run/transitions.js';
import { extension } from '../steps/sending-times.js';

const DAY_MS = 86_400_000;
const BATCH = 1_000;

/**
 * How long digests collect. Lengthens those that end outside of the schedule of their subscriber; others can still join them. What they
 * collect is kept as long.
 */
@Injectable()
export class DigestExtensions {
  constructor(
    private readonly notifications: NotificationStore,
    private readonly events: TriggerEventStore,
    private readonly retention: EventRetention,
    private readonly clock: RunClock,
  ) {}

  /** Keeps the events of runs that enter a digest until it ends. */
  async keepEntered(runs: readonly Run[]): Promise<void> {
    await this.retention.keep(runs.flatMap((run) => (run.entry ? [[run, run.entry.until]] : [])));
  }

  /** Those of the masters that go on waiting, which keeps what they have collected for as long. */
  async of(masters: readonly Run[], now: Date): Promise<Map<Run, StepOutcome>> {
    const extended = new Map<Run, StepOutcome>();
    for (const run of masters) {
      const outcome = outcomeOf(run, now);
      if (outcome === undefined) continue;
      extended.set(run, outcome);
      if (outcome.kind === 'wait' && outcome.until > now) await this.keepMembers(run, outcome.until);
    }
    return extended;
  }

  /** When the digest of a run that is not stored would end. @param end without the schedule */
  rehearse(run: Run, end: Date): Date {
    const outcome = outcomeOf(run, end, new StepWitness());
    return outcome?.kind === 'wait' ? outcome.until : end;
  }

  private async keepMembers({ record }: Run, until: Date): Promise<void> {
    const { collection } = this.notifications;
    const members = { digestInto: record._id, ...shardsOf([record], NOTIFICATION_SHARD_KEY) };
    const { retentionDays } = this.clock.context();
    if (retentionDays === 0) return;
    const expireAt = new Date(until.getTime() + retentionDays * DAY_MS);
    await collection.updateMany({ ...members, expireAt: { $exists: true } }, { $max: { expireAt } });
    let batch: NotificationRecord[] = [];
    for await (const member of collection.find(members)) {
      if (batch.push(member) < BATCH) continue;
      await this.keepEvents(batch, until);
      batch = [];
    }
    await this.keepEvents(batch, until);
  }

  private async keepEvents(records: readonly NotificationRecord[], until: Date): Promise<void> {
    if (records.length === 0) return;
    const events = await this.events.findByIds(records.map(({ _eventId }) => _eventId));
    const byId = new Map(events.map((event) => [event._id.toHexString(), event]));
    const waits = records.flatMap((record) => {
      const event = byId.get(record._eventId.toHexString());
      return event === undefined ? [] : [[{ record, event }, until] as const];
    });
    await this.retention.keep(waits);
  }
}

function outcomeOf(run: Run, now: Date, witness?: StepWitness): StepOutcome | undefined {
  const state = currentStep(run.record);
  const step = workflowStep(run);
  if (state === undefined || step?.metadata.extendToSchedule !== true) return undefined;
  const recorder = new StepRecorder(state, now);
  const outcome = extension({ run, step, state, now, recorder, ...(witness && { witness }) });
  run.effects.add(recorder);
  return outcome;
}
