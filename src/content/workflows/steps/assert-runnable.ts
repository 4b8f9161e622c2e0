import type { EmailBlock } from '#libs/templates';
import { StepsNotRunnable } from '../workflows.errors.js';
import type { Step, StepTemplate, StepVariant } from './step.schema.js';

const NOT_RUN: ReadonlySet<string> = new Set(['custom', 'trigger']);
const RUN = 'in_app, email, sms, chat, push, digest, delay, throttle, wait_for_event and http_request';
const WITH_CONTENT: ReadonlySet<string> = new Set(['in_app', 'email', 'sms', 'chat', 'push']);

/**
 * Rejects steps that could only fail. Checks them as they would be stored: an update without content keeps it.
 */
export function assertRunnable(steps: readonly Step[]): void {
  const faults = steps.flatMap((step, index) => [
    ...faultsOf(step, `steps.${index}`),
    ...step.variants.flatMap((variant, place) => faultsOf(variant, `steps.${index}.variants.${place}`)),
  ]);
  if (faults.length > 0) throw new StepsNotRunnable(faults);
}

/** Editors store an empty block for an empty text. */
export function isWithoutContent({ content }: { readonly content?: string | readonly EmailBlock[] }): boolean {
  if (typeof content === 'string' || content === undefined) return (content ?? '').trim() === '';
  return content.every((block) => block.content.trim() === '');
}

function faultsOf({ template }: Pick<StepVariant, 'template'>, path: string): string[] {
  const { type } = template;
  if (NOT_RUN.has(type)) {
    return [`${path}.template.type must not be ${type}: such steps are not run here. Use one of ${RUN}`];
  }
  if (type === 'email' && template.contentType === 'mjml' && template._layoutId !== undefined) {
    return [`${path}.template.layoutId must be absent: an email in MJML is a whole document`];
  }
  if (!WITH_CONTENT.has(type) || !isWithoutContent(template)) return [];
  return [`${path}.template.content must not be empty: ${adviceFor(template)}`];
}

function adviceFor({ type, contentType }: StepTemplate): string {
  if (type !== 'email') return 'it is the text that is sent';
  if (contentType === 'customHtml') return 'it is the HTML of the mail';
  if (contentType === 'mjml') return 'it is the MJML of the mail';
  return "send a list of blocks such as { type: 'text', content: 'Hello' }, or HTML with contentType customHtml";
}
