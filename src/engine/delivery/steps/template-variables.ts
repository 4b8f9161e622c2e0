import { type Channel, isChannel } from '#libs/channels';
import {
  type EmailLayout,
  missingInBlocks,
  missingValues,
  payloadRoots,
  type RenderedField,
  renderedFields,
  withVariableDefaults,
} from '#libs/templates';
import { DETAIL } from '../../execution-details/index.js';
import type { LinkClaims } from '../../../platform/recipient-links/index.js';
import { messageIdFor } from '../../messages/store/index.js';
import type { RunTemplate } from '../records/workflow-version.js';
import { environmentOf, type Run } from '../run/run.js';
import type { StepTask } from '../run/step-handler.js';
import { channelOverrides, overridesOf, textAt } from './overrides.js';
import { StepFailure } from './provider-channel.js';

/** A subscriber as templates, conditions and webhooks may see it: no credentials, no addresses' history. */
export function subscriberView({ facts: { subscriber } }: Run): Record<string, unknown> {
  return personView(subscriber);
}

/** As templates may see a person. */
export function personView(person: Run['facts']['subscriber']): Record<string, unknown> {
  const { channels: _channels, badAddresses: _badAddresses, ...view } = person;
  return view;
}

/** What `step` means in templates: the digest's events once one has ended, and none before. */
export function stepView({ digestEvents }: Run): Record<string, unknown> {
  const events = digestEvents ?? [];
  return { digest: digestEvents !== undefined, events, total_count: events.length };
}

/** With what steps have handed on, by the `uuid` of each. */
function stepRoot(run: Run): Record<string, unknown> {
  const outputs: Record<string, unknown> = {};
  for (const { stepId, output } of run.record.steps) {
    const uuid = output && run.workflow.steps.find(({ _id }) => _id.equals(stepId))?.uuid;
    if (uuid !== undefined) outputs[uuid] = output;
  }
  return Object.keys(outputs).length === 0 ? stepView(run) : { ...stepView(run), outputs };
}

/** What steps have handed on, by the `stepId` and the `uuid` of each: `{{steps.lookup.name}}`. */
function stepsRoot(run: Run): { readonly steps?: Record<string, unknown> } {
  const steps: Record<string, unknown> = {};
  for (const { stepId, output } of run.record.steps) {
    const step = output && run.workflow.steps.find(({ _id }) => _id.equals(stepId));
    if (step === undefined) continue;
    steps[step.uuid] = output;
    if (step.stepId !== undefined) steps[step.stepId] = output;
  }
  // A payload may have values of this name.
  return Object.keys(steps).length === 0 ? {} : { steps };
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
    ...payloadRoots(run.event.payload, run.workflow.templateLanguage),
    subscriber: subscriberView(run),
    step: stepRoot(run),
    ...stepsRoot(run),
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
  steps?: Record<string, unknown>;
} {
  const { actor, tenant } = run.facts;
  return {
    payload: run.event.payload,
    subscriber: subscriberView(run),
    step: stepRoot(run),
    ...stepsRoot(run),
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

const LINK_NAME = /\b(?:unsubscribeUrl|preferencesUrl|answerUrl)\b/;
/** All runs of a version share its templates. */
const linking = new WeakMap<RunTemplate, boolean>();

/**
 * The roots of a template with the recipient's links, where it shows one. A value of the payload with the name of a link
 * wins.
 * @param layout of a mail
 */
export function messageVariables(task: StepTask, template: RunTemplate, layout?: EmailLayout): Record<string, unknown> {
  const variables = templateVariables(task.run);
  if (task.run.facts.links === undefined) return variables;
  const isLinking = linking.get(template) ?? partsOf(template).some(({ source }) => LINK_NAME.test(source));
  linking.set(template, isLinking);
  if (!isLinking && (layout === undefined || !LINK_NAME.test(layout.content))) return variables;
  return { ...recipientLinks(task), ...variables };
}

/** Of a message that goes to one address. */
export function linkClaims({ run, state }: StepTask, channel: Channel): LinkClaims {
  const { record } = run;
  return {
    channel,
    environmentId: environmentOf(run),
    organizationId: record._organizationId.toHexString(),
    subscriberId: record._subscriberId.toHexString(),
    workflowId: record._templateId.toHexString(),
    messageId: messageIdFor({ notificationId: record._id, jobId: state._id, target: '' }).toHexString(),
    ...(run.facts.tenant && { tenantId: run.facts.tenant._id }),
  };
}

/** Of a message that goes to one address. Nobody unsubscribes from critical workflows. */
export function recipientLinks(task: StepTask): {
  unsubscribeUrl?: string;
  preferencesUrl?: string;
  answerUrl?: string;
} {
  const { run, state } = task;
  const { event, workflow } = run;
  const { links } = run.facts;
  if (links === undefined || !isChannel(state.type)) return {};
  const claims = linkClaims(task, state.type);
  const urlOf = (kind: 'unsubscribe' | 'preferences'): string =>
    event.test === undefined ? links.urlOf(kind, claims) : links.exampleUrlOf(kind);
  return {
    ...(!workflow.critical && { unsubscribeUrl: urlOf('unsubscribe') }),
    preferencesUrl: urlOf('preferences'),
    ...(event.question && { answerUrl: links.urlOf('answer', { ...claims, target: event.question.toHexString() }) }),
  };
}

/**
 * Adds a warning to the trail that names the values which a template shows and the event lacks. The message is sent all the
 * same, without them, unless the workflow says otherwise. Further attempts do not repeat the warning.
 * @param layout of a mail
 * @throws {StepFailure} if the workflow sends no such messages
 */
export function noteMissingValues(task: StepTask, template: RunTemplate, layout?: EmailLayout): void {
  const { state, recorder } = task;
  if (!isFirstTry(task)) return;
  const over = channelOverrides(overridesOf(task), state.type);
  const roots = messageVariables(task, template, layout);
  const variables = state.type === 'email' ? { ...roots, ...MAIL_VALUES } : roots;
  const isReplaced = (path: string): boolean =>
    (REPLACED_BY[path.split('.', 1)[0] ?? path] ?? []).some((key) => textAt(over, key) !== undefined);
  const parts = partsOf(template).filter(({ path }) => !isReplaced(path));
  const framed =
    layout === undefined || isReplaced('content')
      ? []
      : missingValues([layout.content], withVariableDefaults(layout.variables ?? [], variables));
  const own = missingInBlocks(parts, variables, task.run.workflow.templateLanguage);
  const names = [...new Set([...own, ...framed])].filter(isOfTheEvent);
  if (names.length === 0) return;
  const isOnlyTried = task.isPreview === true || task.run.event.test !== undefined;
  if (task.run.workflow.missingValues !== 'stop' || isOnlyTried) {
    return recorder.note(DETAIL.missingValues, { raw: { missing: names } });
  }
  const error = `The template shows ${names.join(', ')}, which the event does not have.`;
  throw new StepFailure(DETAIL.valuesRequired, 'missing_values', error);
}

/** Warnings about the content are the same at each attempt. */
export function isFirstTry({ state }: StepTask): boolean {
  return state.attempt === 0 && state.tried === undefined && state.targets === undefined;
}

/** The branding comes from the organization, and what it lacks has a default. */
function isOfTheEvent(name: string): boolean {
  return name !== 'branding' && !name.startsWith('branding.');
}

/** All runs of a version share its templates. */
const known = new WeakMap<RunTemplate, readonly RenderedField[]>();

/** The texts of a channel's template that are rendered. */
export function partsOf(template: RunTemplate): readonly RenderedField[] {
  const parts = known.get(template) ?? renderedFields(template.type, template);
  known.set(template, parts);
  return parts;
}
