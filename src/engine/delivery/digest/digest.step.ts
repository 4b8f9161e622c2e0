import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { backoffWindowStart, type DigestMetadata, digestDueAt, digestValue, zoneOf } from '#libs/schedule';
import { DeliveryQueues } from '../queues/delivery-queues.js';
import { DigestWindows } from '../records/digest-windows.js';
import type { RunStep } from '../records/workflow-version.js';
import { OutcomeWriter } from '../run/outcome-writer.js';
import type { Run } from '../run/run.js';
import type {
  Departures,
  Gathering,
  RehearsedGathering,
  StepHandler,
  StepPreview,
  StepTask,
} from '../run/step-handler.js';
import { detailOf } from '../run/step-recorder.js';
import { currentStep, holdIn, type StepOutcome } from '../run/transitions.js';
import { delayOverride } from '../steps/overrides.js';
import { isWaitSkipped } from '../steps/sending-times.js';
import { StepGate } from '../steps/step-gate.js';
import { DigestCollector } from './digest-collector.js';
import { DigestExtensions } from './digest-extensions.js';
import { DigestLedger } from './digest-ledger.js';
import { DigestSuccession } from './digest-succession.js';
import { Step } from '../run/step.decorator.js';
import { digest } from './digest.declaration.js';

@Injectable()
export class DigestGathering implements Gathering {
  constructor(
    private readonly ledger: DigestLedger,
    private readonly collector: DigestCollector,
    private readonly succession: DigestSuccession,
    private readonly extensions: DigestExtensions,
    private readonly writer: OutcomeWriter,
    private readonly queues: DeliveryQueues,
  ) {}

  async enter(runs: readonly Run[]): Promise<readonly Run[]> {
    const stored = await this.store(runs);
    const { canceled, lost } = await this.ledger.join(stored);
    const held = stored.filter((run) => !lost.includes(run));
    await this.writer.writeEffects(held);
    await this.extensions.keepEntered(held);
    for (const run of stored) delete run.entry;
    return canceled;
  }

  async close(runs: readonly Run[]): Promise<Map<Run, StepOutcome | 'lost'>> {
    const due = runs.filter(isDigestDue);
    if (due.length === 0) return new Map();
    const now = this.queues.now();
    const extended = await this.extensions.of(due, now);
    const closing = extended.size === 0 ? due : due.filter((run) => !extended.has(run));
    const lost = await this.collector.close(closing);
    const closedAt = this.queues.now();
    return new Map([
      ...extended,
      ...closing.map((run): [Run, StepOutcome | 'lost'] => [run, lost.has(run) ? 'lost' : closed(run, closedAt)]),
    ]);
  }

  async recall(runs: readonly Run[]): Promise<void> {
    const hasDigest = (run: Run): boolean =>
      run.record.steps.some(({ type, status }) => type === 'digest' && status === 'completed');
    await this.collector.recall(runs.filter((run) => run.digestEvents === undefined && hasDigest(run)));
  }

  async leave(runs: readonly Run[]): Promise<Departures> {
    const unled = await this.succession.handOver(runs.filter(({ isStored }) => isStored));
    const { counted, lost } = await this.collector.withdraw(runs.filter((run) => !unled.has(run)));
    return { merged: counted, lost: new Set([...unled, ...lost]) };
  }

  async rehearse(run: Run, now: Date): Promise<RehearsedGathering> {
    const { into, until, others } = await this.ledger.rehearse(run, now);
    delete run.entry;
    const foreseen = { digest: { ...(into && { notificationId: into.toHexString() }), collected: others } };
    if (into !== undefined) return { until, foreseen };
    run.digestEvents = [run.event.payload];
    const end = this.extensions.rehearse(run, until);
    return { until: end, foreseen, outcome: closed(run, end) };
  }

  /** The ledger's rules hold between stored records, so new runs are written first. */
  private async store(runs: readonly Run[]): Promise<Run[]> {
    const fresh = runs.filter(({ isStored }) => !isStored);
    const [now, until] = [this.queues.now(), this.queues.notifications.leaseEnd()];
    for (const { record, lease } of fresh) holdIn(record, 'store', { lease, now, until });
    const results = await Promise.all(fresh.map(async (run) => [run, await this.writer.write(run)] as const));
    const lost = new Set(results.filter(([, result]) => result !== 'written').map(([run]) => run));
    return runs.filter((run) => !lost.has(run));
  }
}

/** The trail shows the first events only: redacting all payloads of a large digest takes long. */
const MAX_SHOWN_EVENTS = 100;

/** Describes the end of a digest in the run that leads it. */
function closed(run: Run, now: Date): StepOutcome {
  const state = currentStep(run.record);
  if (state === undefined) throw new Error('A digest was closed by a run that is over.');
  const events = run.digestEvents ?? [];
  const raw =
    events.length <= MAX_SHOWN_EVENTS ? events : { count: events.length, events: events.slice(0, MAX_SHOWN_EVENTS) };
  run.effects.add({
    details: [detailOf(state, digest.trail.started, now), detailOf(state, digest.trail.triggered, now, { raw })],
  });
  return { kind: 'completed' };
}

function isDigestDue({ record }: Run): boolean {
  const state = currentStep(record);
  return state?.type === 'digest' && state.status === 'delayed';
}

@Step(digest)
@Injectable()
export class DigestStep implements StepHandler {
  constructor(
    private readonly gate: StepGate,
    private readonly windows: DigestWindows,
    readonly gathering: DigestGathering,
  ) {}

  async run(task: StepTask): Promise<StepOutcome> {
    const { run, step, state, now, recorder } = task;
    const refused = await this.gate.refuse(task);
    if (refused) return refused;
    if (isWaitSkipped(task)) {
      // A digest of its own, which collects nothing: others that wait are not disturbed.
      run.digestEvents = [run.event.payload];
      return { kind: 'completed' };
    }
    const metadata = step.metadata as DigestMetadata;
    const slot = digestSlot(run, step);
    const since = backoffWindowStart(metadata, now, zoneOf(metadata, run.facts.subscriber.timezone));
    // After the first attempt it is decided that the run takes part.
    if (since !== undefined && state.attempt === 0 && (await this.windows.isFirst(slot, run.record._id, now, since))) {
      recorder.note(digest.trail.skipped);
      return { kind: 'skipped', reason: 'first_backoff_event' };
    }
    return { kind: 'gather', slot, until: endOf(task), progress: { attempt: 1 } };
  }

  preview(task: StepTask): Promise<StepPreview> {
    return Promise.resolve({ until: endOf(task) });
  }
}

function endOf({ run, step, now }: StepTask): Date {
  const zone = zoneOf(step.metadata, run.facts.subscriber.timezone);
  return digestDueAt(step.metadata as DigestMetadata, now, zone, delayOverride(run.event.overrides));
}

/**
 * Identifies a digest: the workflow's step, the subscriber and, where the step has a digestKey, its value. Runs with the
 * same slot go into the same digest.
 */
function digestSlot({ record, event, facts }: Run, step: RunStep): string {
  const { digestKey } = step.metadata as DigestMetadata;
  const value = digestKey ? digestValue(digestKey, { payload: event.payload, tenant: facts.tenant }) : undefined;
  return createHash('sha256')
    .update(record._templateId.id)
    .update(step._id.id)
    .update(record._subscriberId.id)
    .update(JSON.stringify(value) ?? '')
    .digest('base64url');
}
