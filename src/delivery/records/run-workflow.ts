import { Types } from 'mongoose';
import { type Lane, STEP_TYPES, type StepType } from './notification.record.js';
import type { ContentType, EmailBlock } from '#libs/templates';
import type { ResolvedStep, ResolvedVariant, ResolvedWorkflow } from '../../workflows/index.js';

/** What a step sends, as far as delivery knows it. Ids are 24 hex digits. */
export interface RunTemplate {
  readonly content?: string | EmailBlock[];
  readonly contentType?: ContentType;
  readonly subject?: string;
  readonly title?: string;
  readonly preheader?: string;
  readonly senderName?: string;
  readonly cta?: Record<string, unknown>;
  readonly actor?: Record<string, unknown>;
  readonly _feedId?: string;
  readonly _layoutId?: string;
}

export type RunVariant = Omit<ResolvedVariant, 'template'> & { readonly template: RunTemplate };

/** An active step of a workflow, with what a run asks of it again and again. */
export interface RunStep extends Omit<ResolvedStep, 'template' | 'variants'> {
  readonly template: RunTemplate;
  readonly variants: readonly RunVariant[];
  readonly _id: Types.ObjectId;
  readonly type: StepType;
  readonly lane: Lane;
}

/** One version of a workflow as runs use it: its active steps in order. Shared; never changed. */
export interface RunWorkflow extends Omit<ResolvedWorkflow, 'steps'> {
  /** Names this version in the snapshot store. */
  readonly snapshotId: string;
  /** As the workflow's module knows it. */
  readonly source: ResolvedWorkflow;
  readonly steps: readonly RunStep[];
}

/** The name of a workflow's version. */
export function snapshotIdOf({ id, version }: Pick<ResolvedWorkflow, 'id' | 'version'>): string {
  return `${id}:${version}`;
}

/** What runs use of a workflow. */
export function toRunWorkflow(workflow: ResolvedWorkflow): RunWorkflow {
  return {
    ...workflow,
    snapshotId: snapshotIdOf(workflow),
    source: workflow,
    steps: workflow.steps.flatMap((step) => {
      const type = step.template['type'];
      if (!step.active || !isStepType(type)) return [];
      return [{ ...(step as unknown as RunStep), _id: new Types.ObjectId(step.id), type, lane: laneOf(type, step) }];
    }),
  };
}

/** Steps that only use the store share a lane; what waits for others outside has one of its own. */
export function laneOf(type: StepType, { filters, variants }: Pick<ResolvedStep, 'filters' | 'variants'>): Lane {
  if (type === 'email' || type === 'sms' || type === 'chat' || type === 'push') return type;
  const groups = [...filters, ...variants.flatMap((variant) => variant.filters)];
  return groups.some(({ children }) => children.some(({ on }) => on === 'webhook')) ? 'webhook' : 'store';
}

function isStepType(type: unknown): type is StepType {
  return (STEP_TYPES as readonly unknown[]).includes(type);
}
