import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { DETAIL } from '../../execution-details/index.js';
import type { RunTemplate } from '../records/run-workflow.js';
import { ConditionChecker } from './condition-checker.js';
import type { StepTask } from '../run/step-handler.js';

/** What a step sends this time, and the id of that content. */
export interface ChosenTemplate {
  readonly _id: Types.ObjectId;
  readonly template: RunTemplate;
}

/** Chooses between a step's own content and its variants. */
@Injectable()
export class VariantChooser {
  constructor(private readonly conditions: ConditionChecker) {}

  /** The first active variant whose conditions pass, else the step's own. */
  async choose(task: StepTask): Promise<ChosenTemplate> {
    const { run, step, state, now } = task;
    for (const variant of step.variants) {
      if (!variant.active || variant.filters.length === 0) continue;
      const result = await this.conditions.check(variant.filters, task);
      if (!result.passed) continue;
      run.effects.detail(state, DETAIL.variantChosen, now, { raw: { variant: variant.name, ...result } });
      return { _id: new Types.ObjectId(variant.id), template: variant.template };
    }
    return step;
  }
}
