import type { Types } from 'mongoose';
import type { ConditionGroup } from '#libs/conditions';
import type { TimedRule, TimeUnit } from '#libs/schedule';
import type { ContentType, EmailBlock } from '#libs/templates';
import type { StepType } from '../../notifications/index.js';

/** What a step sends, as the workflow keeps it. */
export interface RunTemplate {
  content?: string | EmailBlock[];
  contentType?: ContentType;
  subject?: string;
  title?: string;
  preheader?: string;
  senderName?: string;
  cta?: Record<string, unknown>;
  actor?: Record<string, unknown>;
  _feedId?: Types.ObjectId | null;
  _layoutId?: Types.ObjectId | null;
}

/** When a digest or delay goes on; which of the parts are there follows from `type`. */
export interface RunMetadata {
  type?: string;
  amount?: number;
  unit?: TimeUnit;
  digestKey?: string;
  delayPath?: string;
  backoff?: boolean;
  backoffAmount?: number;
  backoffUnit?: TimeUnit;
  timed?: TimedRule;
}

export interface RunVariant {
  _id: Types.ObjectId;
  name?: string;
  active: boolean;
  template: RunTemplate;
  filters: ConditionGroup[];
}

export interface RunStep {
  _id: Types.ObjectId;
  uuid: string;
  name?: string;
  type: StepType;
  shouldStopOnFail: boolean;
  template: RunTemplate;
  filters: ConditionGroup[];
  metadata: RunMetadata;
  replyCallback?: { active?: boolean; url?: string };
  variants: RunVariant[];
}

/** One version of a workflow, as far as a run needs it: its active steps in order. Never changed once stored. */
export interface RunWorkflow {
  _id: Types.ObjectId;
  name: string;
  identifier: string;
  critical: boolean;
  tags: string[];
  preferenceSettings: Partial<Record<string, boolean>>;
  steps: RunStep[];
}
