import { Injectable } from '@nestjs/common';
import { Step, type StepContext, type StepResult, type StepRunner } from '../delivery/index.js';
import { __name__, type __Name__Input } from './__file__.declaration.js';

type Context = StepContext<__Name__Input>;

/** It runs at least once: what it changes elsewhere must be named by `idempotencyKey` of the context. */
@Step(__name__)
@Injectable()
export class __Name__Step implements StepRunner<__Name__Input> {
  run({ input }: Context): Promise<StepResult> {
    return Promise.resolve({ status: 'completed', output: { text: input.text } });
  }

  /** For dry runs, in which nothing may change. */
  simulate(context: Context): Promise<StepResult> {
    return this.run(context);
  }
}
