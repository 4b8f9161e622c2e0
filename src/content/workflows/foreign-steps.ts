import { Types } from 'mongoose';
import type { TemplateLanguage } from '#libs/templates';
import { buildSteps } from './steps/build-steps.js';
import type { SentStep, Step } from './steps/step.schema.js';
import { validateStepsInTurns } from './steps/validate-steps.js';
import type { Workflow } from './workflow.schema.js';
import { withTriggerVariables } from './workflow-writes.js';

/**
 * Steps that have ids already, because they come from another store, as a workflow keeps them. References are not looked up.
 * @returns why they cannot be stored, or what is stored
 */
export async function stepsWithIds(
  sent: readonly object[],
  language: TemplateLanguage,
): Promise<{ readonly faults: string[] } | Pick<Workflow, 'steps' | 'triggerVariables'>> {
  const faults = await validateStepsInTurns(sent, 'steps', { templateLanguage: language });
  if (faults.length > 0) return { faults };
  const steps = buildSteps(sent as SentStep[], { existing: [] });
  const named = steps.map((step, place): Step => {
    const given = sent[place] as SentStep;
    const variants = step.variants.map((variant, at) => ({ ...variant, ...idIn(given.variants?.[at]) }));
    return { ...step, ...idIn(given), variants };
  });
  return withTriggerVariables(named, language);
}

function idIn(sent: Pick<SentStep, '_id'> | undefined): { _id?: Types.ObjectId } {
  return typeof sent?._id === 'string' ? { _id: new Types.ObjectId(sent._id) } : {};
}
