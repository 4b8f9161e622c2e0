import { randomUUID } from 'node:crypto';
import { Types } from 'mongoose';
import { condition, CONDITION_KEYS, type ConditionGroup } from '#libs/conditions';
import { withoutNullish } from '#libs/persistence';
import { STEP_TYPES } from '#libs/plugins';
import { type StepMetadata, TIMED_KEYS } from '#libs/schedule';
import { type TemplateVariable, templateVariable } from '#libs/templates';
import { isGiven, withoutNulls } from '#libs/validation';
import { stepTemplate } from './template.schema.js';
import { metadataKeys, stepMetadata } from './metadata.schema.js';
import type { SentStep, SentTemplate, Step, StepTemplate, StepVariant } from './step.schema.js';

export interface StepContext {
  readonly existing: readonly Step[];
  readonly defaultLayoutId?: string;
  /** Feeds of a blueprint belong to another environment. */
  readonly dropFeeds?: boolean;
  /** Steps are replaced as a whole; only ids are kept. */
  readonly isComplete?: boolean;
}

/** Not writable, but accepted because responses contain them. */
const SYSTEM_KEYS = new Set(
  '_id id active _organizationId _environmentId _creatorId _parentId deleted deletedAt deletedBy createdAt updatedAt __v feedId layoutId _feedId _layoutId'.split(
    ' ',
  ),
);
/** Kept if the step is sent again without them. */
const KEPT_KEYS = [
  'content',
  'subject',
  'title',
  'preheader',
  'senderName',
  'images',
  'groupKey',
  'replaces',
  'name',
  'variables',
  'actor',
] as const;
/** Null means "none" for these keys; in custom keys it is an ordinary value. */
const KNOWN_KEYS = new Set<string>([...KEPT_KEYS, 'contentType', 'cta']);
/** Steps that match by `_id`, `_templateId` or `uuid` keep ids and unsent template fields; all others are new. */
export function buildSteps(sent: readonly SentStep[], context: StepContext): Step[] {
  const claimed = new Set<StepVariant>();
  return sent.map((step) => {
    const previous = claim(step, context.existing, claimed);
    const variants = (step.variants ?? []).map((variant) =>
      buildVariant(variant, claim(variant, previous?.variants ?? [], claimed), context),
    );
    return { ...buildVariant(step, previous, context), variants };
  });
}

function claim<T extends StepVariant>(
  sent: SentStep,
  candidates: readonly T[],
  claimed: Set<StepVariant>,
): T | undefined {
  const names = (candidate: T): boolean => {
    const id = candidate._id.toHexString();
    return sent._id === id || sent._templateId === id || sent.uuid === candidate.uuid;
  };
  const found = candidates.find((candidate) => !claimed.has(candidate) && names(candidate));
  if (found) claimed.add(found);
  return found;
}

function buildVariant(sent: SentStep, previous: StepVariant | undefined, context: StepContext): StepVariant {
  return {
    _id: previous?._id ?? new Types.ObjectId(),
    uuid: sent.uuid ?? previous?.uuid ?? randomUUID(),
    ...withoutNullish({ stepId: sent.stepId, name: sent.name }),
    active: sent.active ?? true,
    shouldStopOnFail: sent.shouldStopOnFail ?? false,
    ...(isGiven(sent.branch) && { branch: pick(sent.branch, ['step', 'arm']) }),
    template: buildTemplate(sent.template, previous?.template, context),
    filters: (sent.filters ?? []).map(buildGroup),
    metadata: buildMetadata(sent.metadata ?? {}),
    replyCallback: withoutNullish(pick(sent.replyCallback ?? {}, ['active', 'url'])),
  };
}

function buildTemplate(sent: SentTemplate, previous: StepTemplate | undefined, context: StepContext): StepTemplate {
  const before = previous?.type === sent.type && context.isComplete !== true ? previous : undefined;
  const feedId = context.dropFeeds === true ? undefined : feedOf(sent, before);
  const layoutId = layoutOf(sent, before, context);
  const variables = sent.variables === undefined ? before?.variables : sent.variables;
  const own = Object.fromEntries(
    Object.entries({ ...kept(sent, before), ...sent }).filter(
      ([key, value]) => !SYSTEM_KEYS.has(key) && !(value === null && KNOWN_KEYS.has(key)),
    ),
  );
  return {
    ...withoutNulls(stepTemplate, { ...own, type: sent.type }),
    ...(variables && { variables: variables.map(buildVariable) }),
    ...(isGiven(feedId) && { _feedId: new Types.ObjectId(feedId) }),
    ...(isGiven(layoutId) && { _layoutId: new Types.ObjectId(layoutId) }),
  };
}

/** Not kept if the editor changes: blocks and HTML are not interchangeable. */
function kept(sent: SentTemplate, before: StepTemplate | undefined): Partial<StepTemplate> {
  if (before === undefined) return {};
  const changesEditor = isGiven(sent.contentType) && sent.contentType !== before.contentType;
  return pick(before, changesEditor ? KEPT_KEYS.filter((key) => key !== 'content') : [...KEPT_KEYS, 'contentType']);
}

/**
 * `_feedId` comes from a response, perhaps of another environment: its value is ignored, but its presence means that
 * the step is sent back as read, which keeps the feed. Without either key the step loses it.
 */
function feedOf({ feedId, _feedId }: SentTemplate, before: StepTemplate | undefined): string | undefined {
  if (feedId !== undefined) return feedId ?? undefined;
  return isGiven(_feedId) ? before?._feedId?.toHexString() : undefined;
}

/** `_layoutId` comes from a response, perhaps of another environment: ignored. */
function layoutOf(sent: SentTemplate, before: StepTemplate | undefined, context: StepContext): string | undefined {
  if (isGiven(sent.layoutId)) return sent.layoutId;
  // A whole document.
  if ((sent.contentType ?? before?.contentType) === 'mjml') return undefined;
  if (before !== undefined && sent.layoutId === undefined) return before._layoutId?.toHexString();
  return hasLayout(sent.type) && before === undefined ? context.defaultLayoutId : undefined;
}

/** Whether templates of the type can name a layout. */
export function hasLayout(type: string): boolean {
  return STEP_TYPES.get(type)?.template?.['layoutId'] !== undefined;
}

/** Dashboards send an empty default for an empty input. */
function buildVariable(variable: TemplateVariable): TemplateVariable {
  const { defaultValue, ...rest } = withoutNulls(templateVariable, variable);
  return { ...rest, ...(isGiven(defaultValue) && defaultValue !== '' && { defaultValue }) };
}

function buildGroup(group: ConditionGroup): ConditionGroup {
  return {
    ...withoutNullish(pick(group, ['isNegated', 'type', 'value'])),
    children: group.children.map((one) => withoutNulls(condition, pick(one, CONDITION_KEYS))),
  };
}

function buildMetadata(sent: Record<string, unknown>): StepMetadata {
  const { timed, ...rest } = withoutNulls(stepMetadata, withoutNullish(pick(sent, metadataKeys()))) as StepMetadata;
  return { ...rest, ...(isGiven(timed) && { timed: withoutNullish(pick(timed, TIMED_KEYS)) }) };
}

function pick<T extends object>(from: T, keys: readonly string[]): T {
  return Object.fromEntries(
    Object.entries(from).filter(([key, value]) => keys.includes(key) && value !== undefined),
  ) as T;
}
