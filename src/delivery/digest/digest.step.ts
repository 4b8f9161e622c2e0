import { Injectable } from '@nestjs/common';
import { backoffWindowStart, type DigestMetadata, digestDueAt } from '#libs/schedule';
import { DETAIL } from '../../execution-details/index.js';
import { digestSlot } from './digest-slot.js';
import { DigestWindows } from '../records/digest-windows.js';
import { delayOverride } from '../steps/overrides.js';
import type { StepResult } from '../run/transitions.js';
import { StepGate } from '../steps/step-gate.js';
import type { StepHandler, StepTask } from '../run/step-handler.js';

/** Decides whether a run takes part in a digest. Who leads it is the ledger's business. */
@Injectable()
export class DigestStep implements StepHandler {
  readonly type = 'digest' as const;

  constructor(
    private readonly gate: StepGate,
    private readonly windows: DigestWindows,
  ) {}

  async run(task: StepTask): Promise<StepResult> {
    const { run, step, state, now } = task;
    const refused = await this.gate.refuse(task);
    if (refused) return refused;
    const metadata = step.metadata as DigestMetadata;
    const slot = digestSlot(run, step);
    const since = backoffWindowStart(metadata, now);
    // Beyond the first attempt it has been decided that it takes part.
    if (since !== undefined && state.attempt === 0 && (await this.windows.isFirst(slot, run.record._id, now, since))) {
      run.effects.detail(state, DETAIL.digestSkipped, now);
      return { kind: 'skipped', reason: 'first_backoff_event' };
    }
    state.attempt = 1;
    return { kind: 'digest', slot, until: digestDueAt(metadata, now, undefined, delayOverride(run.event.overrides)) };
  }
}
