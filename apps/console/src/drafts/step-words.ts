import { typeLabel } from '../activity/words.js';
import type { StepType } from '../step-types/step-types.js';
import { textOfHtml } from '../ui/html-text.js';
import { summaryWords } from '../step-types/wait-words.js';
import type { DraftStep } from './draft.js';

/** The name of a step, or else of its type. */
export function titleOf(step: DraftStep | undefined): string {
  if (step === undefined) return 'Step';
  return step.name || typeLabel(step.template.type);
}

/** What a step does or sends, in a line. @param type undefined until Herald has told it */
export function lineOf(step: DraftStep, type: StepType | undefined): string {
  const { template } = step;
  const sent = [template['subject'], template['title'], template['content']].find(isText);
  if (sent !== undefined) return textOfHtml(sent).replaceAll(/\s+/g, ' ');
  return summaryWords(step, type) ?? '';
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
