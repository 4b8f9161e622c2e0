import { type EmailLayout, missingValues, withVariableDefaults } from '#libs/templates';
import { DETAIL, type NewDetail } from '../../execution-details/index.js';
import type { RunTemplate } from '../records/workflow-version.js';
import type { Run } from '../run/run.js';
import type { StepTask } from '../run/step-handler.js';
import { detailOf } from '../run/step-report.js';
import { channelOverrides, textAt } from './overrides.js';
import { partsOf } from './template-parts.js';

/** A subscriber as templates, conditions and webhooks may see it: no credentials, no addresses' history. */
export function subscriberView({ facts: { subscriber } }: Run): Record<string, unknown> {
  return personView(subscriber);
}

function personView(person: Run['facts']['subscriber']): Record<string, unknown> {
  const { channels: _channels, badAddresses: _badAddresses, ...view } = person;
  return view;
}

/** What `step` means in templates: the digest's events once one has ended, and none before. */
export function stepView({ digestEvents }: Run): Record<string, unknown> {
  const events = digestEvents ?? [];
  return { digest: digestEvents !== undefined, events, total_count: events.length };
}

/** With what steps of plugins have handed on, by the `uuid` of each. */
function stepRoot(run: Run): Record<string, unknown> {
  const outputs: Record<string, unknown> = {};
  for (const { stepId, output } of run.record.steps) {
    const uuid = output && run.workflow.steps.find(({ _id }) => _id.equals(stepId))?.uuid;
    if (uuid !== undefined) outputs[uuid] = output;
  }
  return Object.keys(outputs).length === 0 ? stepView(run) : { ...stepView(run), outputs };
}

/**
 * The roots of templates: the payload's keys at the top, then the names that win over them. They stay the same until a
 * digest of the run ends or a step hands something on, and a step asks for them several times.
 */
export function templateVariables(run: Run): Record<string, unknown> {
  if (run.variables?.of !== run.digestEvents) delete run.variables;
  run.variables ??= { of: run.digestEvents, values: rootsOf(run) };
  return run.variables.values;
}

function rootsOf(run: Run): Record<string, unknown> {
  const { actor, branding, tenant } = run.facts;
  return {
    ...run.event.payload,
    subscriber: subscriberView(run),
    step: stepRoot(run),
    branding,
    ...(tenant && { tenant }),
    ...(actor && { actor: personView(actor) }),
  };
}

export function conditionVariables(run: Run): {
  payload: Record<string, unknown>;
  subscriber: Record<string, unknown>;
  tenant?: Record<string, unknown>;
  actor?: Record<string, unknown>;
  step: Record<string, unknown>;
} {
  const { actor, tenant } = run.facts;
  return {
    payload: run.event.payload,
    subscriber: subscriberView(run),
    step: stepRoot(run),
    ...(tenant && { tenant: { ...tenant } }),
    ...(actor && { actor: personView(actor) }),
  };
}

const REPLACED_BY: Readonly<Record<string, readonly string[]>> = {
  content: ['content', 'html', 'text'],
  subject: ['subject'],
  title: ['title'],
  senderName: ['senderName'],
};

/** Values that Herald adds to a mail, for its layout. */
const MAIL_VALUES = { subject: '', preheader: '', body: '', blocks: [] };

/**
 * A warning for the trail that names the values which a template shows and the event lacks. The message is sent all the
 * same, without them. Further attempts do not repeat the warning.
 * @param layout of a mail
 */
export function missingValueDetails(task: StepTask, template: RunTemplate, layout?: EmailLayout): NewDetail[] {
  const { run, state, now } = task;
  if (state.attempt > 0 || state.tried !== undefined || state.targets !== undefined) return [];
  const over = channelOverrides(run.event.overrides, state.type);
  const variables = state.type === 'email' ? { ...templateVariables(run), ...MAIL_VALUES } : templateVariables(run);
  const isReplaced = (part: string): boolean =>
    (REPLACED_BY[part] ?? []).some((key) => textAt(over, key) !== undefined);
  const sources = partsOf(template).flatMap(({ part, source }) => (isReplaced(part) ? [] : [source]));
  const framed =
    layout === undefined || isReplaced('content')
      ? []
      : missingValues([layout.content], withVariableDefaults(layout.variables ?? [], variables));
  const names = [...new Set([...missingValues(sources, variables), ...framed])].filter(isOfTheEvent);
  return names.length === 0 ? [] : [detailOf(state, DETAIL.missingValues, now, { raw: { missing: names } })];
}

/** The branding comes from the organization, and what it lacks has a default. */
function isOfTheEvent(name: string): boolean {
  return name !== 'branding' && !name.startsWith('branding.');
}
