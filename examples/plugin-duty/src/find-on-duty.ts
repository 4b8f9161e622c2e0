import { Injectable } from '@nestjs/common';
import { defineStep, type StepContext, type StepResult, type StepRunner, z } from 'herald/plugin';
import { DutiesService } from './duties.service.js';

const INPUT = z.object({ team: z.string('must be a text').min(1, 'must not be empty') });
type Input = z.output<typeof INPUT>;

/** A provider of the module, so that it can have services. */
@Injectable()
export class OnDutyRunner implements StepRunner<Input> {
  constructor(private readonly duties: DutiesService) {}

  async run({ input, caller, note }: StepContext<Input>): Promise<StepResult> {
    const subscriberId = await this.duties.onDuty(caller, input.team);
    if (subscriberId === undefined) return { status: 'skipped', reason: `Nobody of ${input.team} is on duty` };
    note('Found who is on duty', { status: 'Success', raw: { subscriberId } });
    // {{step.outputs.duty.subscriberId}} in later steps, if `duty` is the uuid of this one.
    return { status: 'completed', output: { subscriberId } };
  }
}

export const findOnDuty = defineStep({
  type: 'find-on-duty',
  label: 'Find who is on duty',
  group: 'action',
  summary: [{ text: 'Finds who of {template.input.team} is on duty.' }],
  input: INPUT,
  runner: OnDutyRunner,
});
