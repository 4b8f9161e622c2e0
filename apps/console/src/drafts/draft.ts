import type { Schemas } from '../api/client.js';

type Workflow = Schemas['WorkflowResponse'];
export type Group = Schemas['ConditionGroupDto'];
export type Metadata = Schemas['StepMetadataDto'];
export type SendWindow = Schemas['SendWindowDto'];
type Switches = Schemas['ChannelSwitchesResponse'];

/** Content of a step. Members that the editor does not know are kept as they are. */
export type Template = { readonly type: string } & Readonly<Record<string, unknown>>;

/** A step that is being edited. Its `uuid` names it, also before it is stored. */
export interface DraftStep {
  readonly uuid: string;
  readonly _id?: string;
  readonly stepId?: string;
  readonly name: string;
  readonly active: boolean;
  readonly shouldStopOnFail: boolean;
  /** The arm of an earlier step in which it stands. */
  readonly branch?: Schemas['StepBranchDto'] | undefined;
  readonly template: Template;
  readonly filters: readonly Group[];
  readonly metadata: Metadata;
  readonly replyCallback: Schemas['ReplyCallbackDto'];
  readonly variants: readonly DraftStep[];
}

/** A workflow that is being edited. Whether it is active is no part of it: that changes at once. */
export interface Draft {
  readonly name: string;
  readonly identifier: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly critical: boolean;
  readonly hidden: boolean;
  readonly severity: NonNullable<Workflow['severity']>;
  readonly missingAddress: NonNullable<Workflow['missingAddress']>;
  readonly missingValues: NonNullable<Workflow['missingValues']>;
  readonly templateLanguage: NonNullable<Workflow['templateLanguage']>;
  readonly tracking: NonNullable<Workflow['tracking']>;
  readonly outsideSchedule: NonNullable<Workflow['outsideSchedule']>;
  /** Undefined: at any time. */
  readonly sendWindow?: SendWindow | undefined;
  /** Undefined: as Herald decides. */
  readonly unsubscribe?: Workflow['unsubscribe'] | undefined;
  readonly preferenceSettings: Switches;
  readonly notificationGroupId: string;
  readonly steps: readonly DraftStep[];
}

/** What answers show of a template, and requests do not set. */
const SHOWN_ONLY = new Set(
  '_id id active deleted createdAt updatedAt __v _feedId _layoutId _environmentId _organizationId _creatorId'.split(
    ' ',
  ),
);

export function draftOf(workflow: Workflow): Draft {
  const { name, description = '', tags, critical, severity = 'none', preferenceSettings, triggers } = workflow;
  const {
    hidden = false,
    missingAddress = 'skip',
    missingValues = 'send',
    templateLanguage = 'handlebars',
    tracking = {},
    outsideSchedule = 'skip',
    sendWindow,
    unsubscribe,
  } = workflow;
  return {
    name,
    identifier: triggers[0]?.identifier ?? '',
    description,
    tags,
    critical,
    hidden,
    severity,
    missingAddress,
    missingValues,
    templateLanguage,
    tracking,
    outsideSchedule,
    ...(sendWindow && { sendWindow }),
    ...(unsubscribe && { unsubscribe }),
    preferenceSettings,
    notificationGroupId: workflow._notificationGroupId,
    steps: workflow.steps.map((step) => ({
      ...stepOf(step),
      variants: step.variants.map((variant) => stepOf(variant)),
    })),
  };
}

function stepOf(step: Schemas['StepVariantResponse']): DraftStep {
  const { uuid, _id, stepId, name = '', active, shouldStopOnFail, branch, filters, metadata, replyCallback } = step;
  return {
    uuid,
    _id,
    ...(stepId !== undefined && { stepId }),
    name,
    active,
    shouldStopOnFail,
    ...(branch && { branch }),
    template: templateOf(step.template),
    filters,
    metadata: withoutEmptySchedule(metadata),
    replyCallback,
    variants: [],
  };
}

function templateOf(template: Schemas['StepTemplateResponse']): Template {
  const { type, _feedId, _layoutId, variables } = template;
  const own = Object.fromEntries(Object.entries(template).filter(([name]) => !SHOWN_ONLY.has(name)));
  return {
    ...own,
    type,
    ...(variables.length === 0 && { variables: undefined }),
    ...(type === 'in_app' && { feedId: _feedId }),
    ...(type === 'email' && { layoutId: _layoutId }),
  };
}

/** Answers show an empty schedule where there is none. */
function withoutEmptySchedule({ timed, ...rest }: Metadata): Metadata {
  const given = Object.entries(timed ?? {}).filter(([, value]) => !(Array.isArray(value) && value.length === 0));
  return given.length === 0 ? rest : { ...rest, timed: Object.fromEntries(given) };
}

/** A step without these would keep the former ones: null removes them. */
const REMOVABLE = ['subject', 'title', 'preheader', 'senderName', 'images', 'cta', 'actor', 'variables'] as const;

/** The steps as requests have them. */
export function sentStep(step: DraftStep): Schemas['StepDto'] {
  // The document does not say that null is accepted.
  return sentObject(step) as Schemas['StepDto'];
}

function sentObject(step: DraftStep): object {
  const { _id, uuid, stepId, name, active, shouldStopOnFail, branch, filters, metadata, replyCallback, variants } =
    step;
  const own = Object.entries(step.template).filter(([, value]) => value !== undefined && value !== '');
  const removed = REMOVABLE.filter((field) => !own.some(([known]) => known === field));
  const template: Template = {
    ...Object.fromEntries<unknown>([...removed.map((field): [string, null] => [field, null]), ...own]),
    type: step.template.type,
  };
  return {
    ...(_id !== undefined && { _id }),
    uuid,
    ...(stepId !== undefined && { stepId }),
    name: name === '' ? null : name,
    active,
    shouldStopOnFail,
    ...(branch && { branch }),
    template,
    filters: filters.filter(({ children }) => children.length > 0),
    metadata,
    replyCallback,
    variants: variants.map((variant) => sentObject(variant)),
  };
}

/** The body of the request that saves the draft. */
export function sentDraft(draft: Draft): Schemas['UpdateWorkflowDto'] {
  const { name, identifier, description, tags, critical, severity, preferenceSettings, notificationGroupId } = draft;
  const body: object = {
    name: name.trim(),
    identifier: identifier.trim(),
    description: description === '' ? null : description,
    tags: [...tags],
    critical,
    severity: severity === 'none' ? null : severity,
    hidden: draft.hidden ? true : null,
    missingAddress: draft.missingAddress === 'skip' ? null : draft.missingAddress,
    missingValues: draft.missingValues === 'send' ? null : draft.missingValues,
    templateLanguage: draft.templateLanguage === 'handlebars' ? null : draft.templateLanguage,
    tracking: Object.keys(draft.tracking).length === 0 ? null : draft.tracking,
    outsideSchedule: draft.outsideSchedule === 'skip' ? null : draft.outsideSchedule,
    sendWindow: draft.sendWindow ?? null,
    unsubscribe: draft.unsubscribe ?? null,
    preferenceSettings,
    notificationGroupId,
    steps: draft.steps.map((step) => sentStep(step)),
  };
  return body;
}

/** A copy for another workflow: without ids, and with new uuids, which those follow that name a step. */
export function copiedSteps(steps: readonly DraftStep[], newId: () => string): DraftStep[] {
  const copies = new Map(steps.map(({ uuid }) => [uuid, newId()]));
  const nameOf = (name: string): string => {
    const named = steps.find((step) => isNamed(step, name));
    return (named && copies.get(named.uuid)) ?? name;
  };
  return steps.map((step) => ({ ...copied(step, newId, nameOf), uuid: nameOf(step.uuid) }));
}

/** A copy for the same workflow, in which each `stepId` is there once. */
export function copiedHere(steps: readonly DraftStep[], newId: () => string): DraftStep[] {
  return copiedSteps(steps, newId).map(({ stepId: _former, ...copy }) => copy);
}

function copied(step: DraftStep, newId: () => string, nameOf: (name: string) => string): DraftStep {
  const { _id: _former, branch, metadata, ...rest } = step;
  return {
    ...rest,
    uuid: newId(),
    ...(branch && { branch: { ...branch, step: nameOf(branch.step) } }),
    metadata: metadata.step ? { ...metadata, step: nameOf(metadata.step) } : metadata,
    filters: step.filters.map((group) => ({
      ...group,
      children: group.children.map((child) => (child.step ? { ...child, step: nameOf(child.step) } : child)),
    })),
    variants: step.variants.map((variant) => copied(variant, newId, nameOf)),
  };
}

export function moved<T>(list: readonly T[], from: number, to: number): readonly T[] {
  const [taken] = list.slice(from, from + 1);
  if (taken === undefined || to < 0 || to >= list.length || from === to) return list;
  const rest = list.toSpliced(from, 1);
  return rest.toSpliced(to, 0, taken);
}

/** The arms of a step, in one of which later steps can stand. */
export function armsOf({ template, metadata, variants }: DraftStep): readonly string[] {
  if (template.type === 'branch') return [...variants.map(({ name }) => name), 'else'];
  return template.type === 'split' ? (metadata.arms ?? []).map(({ name }) => name) : [];
}

export function isNamed({ uuid, stepId }: Pick<DraftStep, 'uuid' | 'stepId'>, name: string): boolean {
  return uuid === name || stepId === name;
}

/** What a step depends on: the step in whose arm it stands, those that its conditions read, and the one whose message it waits for. */
function namedBy({ branch, metadata, filters, variants }: DraftStep): string[] {
  const read = filters.flatMap(({ children }) => children.map(({ on, step }) => (on === 'previousStep' ? step : null)));
  return [branch?.step, metadata.step, ...read, ...variants.flatMap(namedBy)].filter(
    (name) => typeof name === 'string',
  );
}

/** The steps that depend on some of them, and are none of them. */
export function readersOf(steps: readonly DraftStep[], of: readonly DraftStep[]): DraftStep[] {
  const reads = (step: DraftStep): boolean => namedBy(step).some((name) => of.some((one) => isNamed(one, name)));
  return steps.filter((step) => !of.includes(step) && reads(step));
}

/** The steps that depend on a later one. */
export function tooEarly(steps: readonly DraftStep[]): DraftStep[] {
  const isLater = (name: string, at: number): boolean => steps.findIndex((one) => isNamed(one, name)) >= at;
  return steps.filter((step, at) => namedBy(step).some((name) => isLater(name, at)));
}

export function isSame(one: Draft, other: Draft): boolean {
  return JSON.stringify(sentDraft(one)) === JSON.stringify(sentDraft(other));
}
