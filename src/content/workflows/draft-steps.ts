import { Injectable } from '@nestjs/common';
import type { TenantContext } from '#libs/common';
import { judgedIn, sizeFault } from '#libs/templates';
import { faultsOf } from '#libs/validation';
import { type ResolvedStep, resolveStep } from './resolved-workflow.js';
import { type SentStep, stepFields, stepVariant } from './steps/step.schema.js';
import { StepsBuilder } from './steps-builder.js';

export { stepFields as draftStepFields };

/** As of a step that is to be stored, but for the syntax of templates, which a preview shows at its place. */
export function faultsOfDraftStep(step: unknown, property: string): string[] {
  const fault = sizeFault(step);
  if (fault !== undefined) return [`${property} ${fault}`];
  return judgedIn('any', () => faultsOf(stepVariant, step, property));
}

/** Steps that are being written. */
@Injectable()
export class DraftSteps {
  constructor(private readonly builder: StepsBuilder) {}

  /** Stores nothing. @param sent has passed {@link faultsOfDraftStep} */
  async resolve(tenant: TenantContext, sent: SentStep): Promise<ResolvedStep> {
    const [step] = await this.builder.draft(tenant, { ...sent, variants: null });
    if (step === undefined) throw new Error('One step makes one step.');
    return { ...resolveStep(step), variants: [] };
  }
}
