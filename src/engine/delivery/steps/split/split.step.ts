import { Injectable } from '@nestjs/common';
import { Step } from '../../run/step.decorator.js';
import type { StepHandler, StepPreview, StepTask } from '../../run/step-handler.js';
import type { StepOutcome } from '../../run/transitions.js';
import { takes } from '../arms.js';
import { StepGate } from '../step-gate.js';
import { split, type SplitMetadata } from './split.declaration.js';
import { armOf } from './split-arm.js';

/** Divides subscribers among arms. The steps in them stand after it, and `StepGate` lets those of one arm run. */
@Step(split)
@Injectable()
export class SplitStep implements StepHandler {
  constructor(private readonly gate: StepGate) {}

  async run(task: StepTask): Promise<StepOutcome> {
    const refused = await this.gate.refuse(task);
    if (refused) return refused;
    const metadata = task.step.metadata as unknown as SplitMetadata;
    const arm = armOf(metadata, task.step.uuid, task.run.facts.subscriber.subscriberId);
    const isWinner = metadata.winner !== undefined;
    return takes(task, arm, split.trail.taken, isWinner ? { isWinner } : { arms: metadata.arms });
  }

  preview(): Promise<StepPreview> {
    return Promise.resolve({});
  }
}
