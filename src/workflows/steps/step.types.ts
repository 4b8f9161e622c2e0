import type { Types } from 'mongoose';
import type { ConditionGroup } from '#libs/conditions';
import type { TimedRule, TimeUnit } from '#libs/schedule';
import type { ContentType, EmailBlock, TemplateType, TemplateVariable } from '#libs/templates';

/**
 * What a step sends. It lies inside its workflow, so that a workflow is written in one piece; its id is that of its
 * step. Keys that are not known here are kept as they were sent.
 */
export interface StepTemplate {
  type: TemplateType;
  content?: string | EmailBlock[];
  contentType?: ContentType;
  name?: string;
  subject?: string;
  title?: string;
  preheader?: string;
  senderName?: string;
  cta?: Record<string, unknown>;
  actor?: Record<string, unknown>;
  variables?: TemplateVariable[];
  _feedId?: Types.ObjectId;
  _layoutId?: Types.ObjectId;
  [extra: string]: unknown;
}

/** When a digest or delay goes on; which of the parts are there follows from `type`. */
export interface StepMetadata {
  type?: string;
  amount?: number;
  unit?: TimeUnit;
  digestKey?: string;
  delayPath?: string;
  backoff?: boolean;
  backoffAmount?: number;
  backoffUnit?: TimeUnit;
  updateMode?: boolean;
  timed?: TimedRule;
}

export interface ReplyCallback {
  active?: boolean;
  url?: string;
}

/** An alternative of a step, chosen by its filters. */
export interface StepVariant {
  _id: Types.ObjectId;
  /** Names the step to conditions of later steps. */
  uuid: string;
  stepId?: string;
  name?: string;
  active: boolean;
  shouldStopOnFail: boolean;
  template: StepTemplate;
  filters: ConditionGroup[];
  metadata: StepMetadata;
  replyCallback: ReplyCallback;
}

export interface Step extends StepVariant {
  variants: StepVariant[];
}

/** A step as a client sends it, once `validateSteps` has found no fault. */
export interface SentStep {
  _id?: unknown;
  _templateId?: unknown;
  uuid?: string | null;
  stepId?: string | null;
  name?: string | null;
  active?: boolean | null;
  shouldStopOnFail?: boolean | null;
  template: SentTemplate;
  filters?: ConditionGroup[] | null;
  metadata?: Record<string, unknown> | null;
  replyCallback?: Record<string, unknown> | null;
  variants?: SentStep[] | null;
}

export interface SentTemplate {
  type: TemplateType;
  contentType?: ContentType | null;
  feedId?: string | null;
  layoutId?: string | null;
  /** As it was read; see `feedOf` in build-steps. */
  _feedId?: unknown;
  variables?: TemplateVariable[] | null;
  [key: string]: unknown;
}
