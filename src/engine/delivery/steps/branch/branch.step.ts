import { Injectable } from '@nestjs/common';
import { Step } from '../../run/step.decorator.js';
import type { StepHandler, StepPreview, StepTask } from '../../run/step-handler.js';
import type { StepOutcome } from '../../run/transitions.js';
import { takes } from '../arms.js';
import { StepGate } from '../step-gate.js';
import { branch, ELSE } from './branch.declaration.js';

/** Decides once for a run. The steps in its arms stand after it, and `StepGate` lets those of one arm run. */
@Step(branch)
@Injectable()
export class BranchStep implements StepHandler {
  constructor(private readonly gate: StepGate) {}

  async run(task: StepTask): Promise<StepOutcome> {
    const refused = await this.gate.refuse(task);
    if (refused) return refused;
    const { chosen, considered } = await this.gate.considerVariants(task);
    const arms = considered.map(({ name, conditions }) => ({ name, ...conditions }));
    return takes(task, chosen?.name ?? ELSE, branch.trail.taken, { arms });
  }

  preview(): Promise<StepPreview> {
    return Promise.resolve({});
  }
}
