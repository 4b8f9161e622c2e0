import { type EmailLayout, missingValues, withVariableDefaults } from '#libs/templates';
import { DETAIL, type NewDetail } from '../../execution-details/index.js';
import { channelOverrides, textAt } from './overrides.js';
import { detailOf } from '../run/step-report.js';
import { templateVariables } from './variables.js';
import type { RunTemplate } from '../records/run-workflow.js';
import type { StepTask } from '../run/step-handler.js';

/** The overrides of a trigger that replace each part of a template. */
const REPLACED_BY: Readonly<Record<string, readonly string[]>> = {
  content: ['content', 'html', 'text'],
  subject: ['subject'],
  title: ['title'],
  senderName: ['senderName'],
};

/**
 * A warning for the trail that names the values which a template shows and the event lacks. The message is sent all the
 * same, without them. Further attempts do not repeat the warning.
 * @param layout of a mail
 */
export function missingValueDetails(task: StepTask, template: RunTemplate, layout?: EmailLayout): NewDetail[] {
  const { run, state, now } = task;
  if (state.attempt > 0 || state.tried !== undefined || state.targets !== undefined) return [];
  const over = channelOverrides(run.event.overrides, state.type);
  // Values that Herald adds to a mail, for its layout.
  const own = state.type === 'email' ? { subject: '', preheader: '', body: '', blocks: [] } : {};
  const variables = { ...templateVariables(run), ...own };
  const isReplaced = (part: string): boolean =>
    (REPLACED_BY[part] ?? []).some((key) => textAt(over, key) !== undefined);
  const sources = partsOf(template).flatMap(([part, source]) => (isReplaced(part) ? [] : [source]));
  const framed =
    layout === undefined || isReplaced('content')
      ? []
      : missingValues([layout.content], withVariableDefaults(layout.variables ?? [], variables));
  const names = [...new Set([...missingValues(sources, variables), ...framed])].filter(isOfTheEvent);
  return names.length === 0 ? [] : [detailOf(state, DETAIL.missingValues, now, { raw: { missing: names } })];
}

/** The texts of a template that are rendered, with the part that each belongs to. */
function partsOf({ content, subject, title, preheader, senderName, cta }: RunTemplate): [string, string][] {
  const blocks = Array.isArray(content) ? content.flatMap((block) => [block.content, block.url]) : [content];
  const { data, action } = (cta ?? {}) as { data?: Link; action?: { buttons?: (Link & { content?: unknown })[] } };
  const links = [data?.url, ...(action?.buttons ?? []).flatMap((button) => [button.content, button.url])];
  const parts: [string, unknown][] = [
    ['subject', subject],
    ['preheader', preheader],
    ['senderName', senderName],
    ['title', title],
    ...blocks.map((text): [string, unknown] => ['content', text]),
    ...links.map((text): [string, unknown] => ['cta', text]),
  ];
  return parts.filter((part): part is [string, string] => typeof part[1] === 'string');
}

interface Link {
  readonly url?: unknown;
}

/** The branding comes from the organization, and what it lacks has a default. */
function isOfTheEvent(name: string): boolean {
  return name !== 'branding' && !name.startsWith('branding.');
}
