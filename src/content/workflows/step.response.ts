import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { type ConditionGroup, conditionGroup } from '#libs/conditions';
import { apiListOf, apiOf, shown } from '#libs/http-kit';
import { STEP_TYPES } from '#libs/plugins';
import type { StepMetadata } from '#libs/schedule';
import {
  CONTENT_TYPES,
  emailBlock,
  PICTURE_PLACES,
  type PicturePlace,
  stepActor,
  stepCta,
  type TemplateVariable,
  templateVariable,
} from '#libs/templates';
import { openApiOf } from '#libs/validation';
import { stepMetadata } from './steps/metadata.schema.js';
import {
  type BranchPlace,
  branchPlace,
  type ReplyCallback,
  replyCallback,
  type Step,
  type StepTemplate,
  type StepVariant,
} from './steps/step.schema.js';
import type { Workflow } from './workflow.schema.js';

/** Content of a step. Custom keys are shown as they were sent. */
export class StepTemplateResponse {
  /** Equal to the `_id` of the step. */
  _id: string;
  /** Equal to `_id`. */
  id: string;
  /** Type of the step. */
  @ApiProperty({ type: 'string', enum: STEP_TYPES.names })
  type: string;
  /** Always true; kept for compatibility. */
  active: boolean;
  /** Text, or the blocks of an email from the block editor. */
  @ApiPropertyOptional({
    oneOf: [{ type: 'string' }, { type: 'array', items: openApiOf(emailBlock) }],
  })
  content?: unknown;
  /** Format of an email's content: editor blocks or HTML. */
  @ApiPropertyOptional({ enum: CONTENT_TYPES })
  contentType?: string;
  /** Name of the template. @example Order confirmation */
  name?: string;
  /** Subject; a template. @example Your order {{order.number}} */
  subject?: string;
  /** Title; a template. @example On its way */
  title?: string;
  /** Preview text that mail clients show next to the subject. */
  preheader?: string;
  /** Name of the sender; a template. @example Shop */
  senderName?: string;
  /** Where those pictures of a mail are that Herald keeps. @example inline */
  @ApiPropertyOptional({ enum: PICTURE_PLACES })
  images?: PicturePlace;
  /** Key of the group of an in-app message; a template. @example comments-{{document.id}} */
  groupKey?: string;
  /** Key of what an in-app or push message takes the place of; a template. @example order-{{order.number}} */
  replaces?: string;
  /** Call to action of an in-app message: a URL and buttons. */
  @ApiPropertyOptional(apiOf(stepCta))
  cta?: Record<string, unknown>;
  /** Picture that an in-app message shows. */
  @ApiPropertyOptional(apiOf(stepActor))
  actor?: Record<string, unknown>;
  /** Variables that the template declares. */
  @ApiProperty(apiListOf(templateVariable))
  variables: TemplateVariable[];
  /** Feed of an in-app message; null if none. */
  @ApiProperty({ type: String, nullable: true })
  _feedId: string | null;
  /** Layout of an email; null if none. */
  @ApiProperty({ type: String, nullable: true })
  _layoutId: string | null;
  _environmentId: string;
  _organizationId: string;
  _creatorId: string;
  deleted: boolean;
  createdAt: Date;
  updatedAt: Date;
  __v: number;
}

function showTemplate(template: StepTemplate, step: StepVariant, workflow: Workflow): StepTemplateResponse {
  const id = step._id.toHexString();
  const { _feedId, _layoutId, ...said } = template;
  return shown(StepTemplateResponse, {
    ...said,
    variables: template.variables ?? [],
    _id: id,
    id,
    active: true,
    _feedId: _feedId?.toHexString() ?? null,
    _layoutId: _layoutId?.toHexString() ?? null,
    _environmentId: workflow._environmentId.toHexString(),
    _organizationId: workflow._organizationId.toHexString(),
    _creatorId: workflow._creatorId.toHexString(),
    deleted: false,
    createdAt: workflow.createdAt,
    updatedAt: workflow.updatedAt,
    __v: workflow.__v,
  });
}

/** What every view of a step shows. */
abstract class StepFields {
  /** Id of the step. @example 64f0c1a2b3c4d5e6f7a8b9c0 */
  _id: string;
  /** Equal to `_id`. */
  id: string;
  /** Equal to `_id`: a template belongs to one step. */
  _templateId: string;
  /** Identifies the step in conditions of later steps. */
  uuid: string;
  /** Your identifier of the step. */
  stepId?: string;
  /** Name of the step. @example Tell the customer */
  name?: string;
  /** Inactive steps are skipped. */
  active: boolean;
  /** If true, a failure of this step ends the run for the recipient. */
  shouldStopOnFail: boolean;
  /** The arm of an earlier branch or split in which it stands; absent if it stands in none. */
  @ApiPropertyOptional(apiOf(branchPlace))
  branch?: BranchPlace;
  /** Groups of conditions, of which one must pass. */
  @ApiProperty(apiListOf(conditionGroup))
  filters: ConditionGroup[];
  /** Id of the previous step; absent for the first one. */
  _parentId?: string;
  /** End of a digest or delay, limit of a throttle, or event of a wait; of channel steps, when messages may be sent. Empty if none. */
  @ApiProperty(apiOf(stepMetadata))
  metadata: StepMetadata;
  /** Webhook to which the recipient's replies are forwarded. */
  @ApiProperty(apiOf(replyCallback))
  replyCallback: ReplyCallback;
}

/** One alternative of a step. */
export class StepVariantResponse extends StepFields {
  /** Content of the step. */
  @ApiProperty({ type: () => StepTemplateResponse })
  template: StepTemplateResponse;
}

function showVariants(steps: readonly StepVariant[], workflow: Workflow): StepVariantResponse[] {
  return steps.map((step, index) => shown(StepVariantResponse, variantFields(step, steps[index - 1], workflow)));
}

/** One step of a workflow. */
export class StepResponse extends StepVariantResponse {
  /** Alternatives; the first one whose filters pass replaces the step. */
  @ApiProperty({ type: () => [StepVariantResponse] })
  variants: StepVariantResponse[];
}

export function showSteps(steps: readonly Step[], workflow: Workflow): StepResponse[] {
  return steps.map((step, index) =>
    shown(StepResponse, {
      ...variantFields(step, steps[index - 1], workflow),
      variants: showVariants(step.variants, workflow),
    }),
  );
}

/** Fields of a template in lists. */
export class TemplateSummaryResponse {
  /** Equal to the `_id` of the step. */
  _id: string;
  /** Type of the step. */
  @ApiProperty({ type: 'string', enum: STEP_TYPES.names })
  type: string;
}

/** One step as lists of workflows show it, without variants. */
export class StepSummaryResponse extends StepFields {
  /** Type of the step. */
  @ApiProperty({ type: () => TemplateSummaryResponse })
  template: TemplateSummaryResponse;
}

export function showStepSummaries(steps: readonly Step[]): StepSummaryResponse[] {
  return steps.map((step, index) =>
    shown(StepSummaryResponse, {
      ...commonFields(step, steps[index - 1]),
      template: shown(TemplateSummaryResponse, { _id: step._id.toHexString(), type: step.template.type }),
    }),
  );
}

function variantFields(step: StepVariant, previous: StepVariant | undefined, workflow: Workflow) {
  return { ...commonFields(step, previous), template: showTemplate(step.template, step, workflow) };
}

/** Clients that know the compatible system read the lists of a schedule without asking whether it is there. */
function showMetadata(metadata: StepMetadata): StepMetadata {
  if (Object.keys(metadata).length === 0) return {};
  return { ...metadata, timed: { weekDays: [], monthDays: [], ...metadata.timed } };
}

// Inferred, so that callers check every field.
function commonFields(step: StepVariant, previous: StepVariant | undefined) {
  const id = step._id.toHexString();
  return {
    _id: id,
    id,
    _templateId: id,
    uuid: step.uuid,
    stepId: step.stepId,
    name: step.name,
    active: step.active,
    shouldStopOnFail: step.shouldStopOnFail,
    ...(step.branch && { branch: step.branch }),
    filters: step.filters,
    ...(previous && { _parentId: previous._id.toHexString() }),
    metadata: showMetadata(step.metadata),
    replyCallback: step.replyCallback,
  };
}
