import type { ConditionGroup } from '#libs/conditions';
import type { TriggerVariables } from '#libs/templates';
import type { StepMetadata } from '#libs/schedule';
import { optionsOf, type WorkflowOptions } from './options.js';
import type { BranchPlace, ReplyCallback, StepTemplate, StepVariant } from './steps/step.schema.js';
import type { ChannelSwitches, Workflow } from './workflow.schema.js';

export type ResolvedTemplate = Readonly<Omit<StepTemplate, '_feedId' | '_layoutId'>> & {
  readonly _feedId?: string;
  readonly _layoutId?: string;
};

export interface ResolvedVariant {
  readonly id: string;
  readonly uuid: string;
  readonly stepId?: string;
  readonly name?: string;
  readonly active: boolean;
  readonly shouldStopOnFail: boolean;
  /** The arm in which it stands. */
  readonly branch?: Readonly<BranchPlace>;
  readonly template: ResolvedTemplate;
  readonly filters: readonly ConditionGroup[];
  readonly metadata: Readonly<StepMetadata>;
  readonly replyCallback: Readonly<ReplyCallback>;
}

export interface ResolvedStep extends ResolvedVariant {
  readonly variants: readonly ResolvedVariant[];
}

/** Frozen, because callers share it. */
export interface ResolvedWorkflow extends Readonly<WorkflowOptions> {
  readonly id: string;
  /** Increases with every change. */
  readonly version: number;
  readonly environmentId: string;
  readonly organizationId: string;
  readonly name: string;
  readonly identifier: string;
  readonly active: boolean;
  readonly critical: boolean;
  readonly tags: readonly string[];
  readonly preferenceSettings: Readonly<ChannelSwitches>;
  readonly trigger: TriggerVariables;
  readonly steps: readonly ResolvedStep[];
  readonly notificationGroupId: string;
}

export function resolveWorkflow(row: Workflow): ResolvedWorkflow {
  return deepFreeze({
    id: row._id.toHexString(),
    version: row.__v,
    environmentId: row._environmentId.toHexString(),
    organizationId: row._organizationId.toHexString(),
    name: row.name,
    identifier: row.identifier,
    active: row.active,
    critical: row.critical,
    ...optionsOf(row),
    tags: row.tags,
    preferenceSettings: row.preferenceSettings,
    trigger: row.triggerVariables,
    steps: row.steps.map((step) => ({ ...resolveStep(step), variants: step.variants.map(resolveStep) })),
    notificationGroupId: row._notificationGroupId.toHexString(),
  });
}

export function resolveStep(step: StepVariant): ResolvedVariant {
  const { _id, template, uuid, stepId, name, active, shouldStopOnFail, branch, filters, metadata, replyCallback } =
    step;
  const { _feedId, _layoutId, ...rest } = template;
  return {
    id: _id.toHexString(),
    uuid,
    ...(stepId !== undefined && { stepId }),
    ...(name !== undefined && { name }),
    active,
    shouldStopOnFail,
    ...(branch !== undefined && { branch }),
    template: {
      ...rest,
      ...(_feedId && { _feedId: _feedId.toHexString() }),
      ...(_layoutId && { _layoutId: _layoutId.toHexString() }),
    },
    filters,
    metadata,
    replyCallback,
  };
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const child of Object.values(value)) deepFreeze(child);
  return value;
}
