import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { readPath } from '#libs/common';
import { backoffWindowStart, type DigestMetadata, digestDueAt } from '#libs/schedule';
import { DETAIL } from '../../execution-details/index.js';
import { DigestWindows } from '../records/digest-windows.js';
import type { RunStep } from '../records/workflow-version.js';
import type { Run } from '../run/run.js';
import type { StepHandler, StepTask } from '../run/step-handler.js';
import { detailOf, reportOf, type StepReport } from '../run/step-report.js';
import { delayOverride } from '../steps/overrides.js';
import { StepGate } from '../steps/step-gate.js';
import { DigestGathering } from './digest-gathering.js';

/** Decides whether a run takes part in a digest. Who leads the digest is decided by the ledger. */
@Injectable()
export class DigestStep implements StepHandler {
  readonly type = 'digest' as const;

  constructor(
    private readonly gate: StepGate,
    private readonly windows: DigestWindows,
    readonly gathering: DigestGathering,
  ) {}

  async run(task: StepTask): Promise<StepReport> {
    const { run, step, state, now } = task;
    const refused = await this.gate.refuse(task);
    if (refused) return refused;
    const metadata = step.metadata as DigestMetadata;
    const slot = digestSlot(run, step);
    const since = backoffWindowStart(metadata, now);
    // After the first attempt it is decided that the run takes part.
    if (since !== undefined && state.attempt === 0 && (await this.windows.isFirst(slot, run.record._id, now, since))) {
      return reportOf({ kind: 'skipped', reason: 'first_backoff_event' }, [detailOf(state, DETAIL.digestSkipped, now)]);
    }
    const until = digestDueAt(metadata, now, undefined, delayOverride(run.event.overrides));
    return reportOf({ kind: 'gather', slot, until }, [], { attempt: 1 });
  }
}

/**
 * Identifies a digest: the workflow's step, the subscriber and, where the step has a digestKey, its value in the payload.
 * Runs with the same slot go into the same digest.
 */
function digestSlot({ record, event }: Run, step: RunStep): string {
  const { digestKey } = step.metadata;
  const value = digestKey === undefined || digestKey === '' ? undefined : readPath(event.payload, digestKey);
  return createHash('sha256')
    .update(record._templateId.id)
    .update(step._id.id)
    .update(record._subscriberId.id)
    .update(JSON.stringify(value) ?? '')
    .digest('base64url');
}
