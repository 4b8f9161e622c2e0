import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { ConditionGroup } from '#libs/conditions';
import { CONTENT_TYPES, TEMPLATE_TYPES, type TemplateVariable } from '#libs/templates';
import type { ReplyCallback, Step, StepMetadata, StepTemplate, StepVariant } from '../steps/step.types.js';
import type { Workflow } from '../workflow.schema.js';

/** What a step sends. Keys of the client's own are shown as they were sent. */
export class StepTemplateResponse {
  /** Equal to the `_id` of the step. */
  _id: string;
  /** Equal to `_id`. */
  id: string;
  @ApiProperty({ enum: TEMPLATE_TYPES })
  type: string;
  active: boolean;
  /** Text, or the blocks of an editor's e-mail. */
  @ApiPropertyOptional({
    oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'object', additionalProperties: true } }],
  })
  content?: unknown;
  @ApiPropertyOptional({ enum: CONTENT_TYPES })
  contentType?: string;
  /** @example Order confirmation */
  name?: string;
  /** @example Your order {{order.number}} */
  subject?: string;
  /** @example On its way */
  title?: string;
  /** What mail programs show beside the subject. */
  preheader?: string;
  /** @example Shop */
  senderName?: string;
  /** What an in-app message asks for: an address to go to, and buttons. */
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    example: { type: 'redirect', data: { url: '/orders/{{order.number}}' } },
  })
  cta?: Record<string, unknown>;
  /** Whose picture an in-app message shows. */
  @ApiPropertyOptional({ type: 'object', additionalProperties: true, example: { type: 'none', data: null } })
  actor?: Record<string, unknown>;
  /** Variables that the template declares. */
  @ApiProperty({ type: 'array', items: { type: 'object', additionalProperties: true } })
  variables: TemplateVariable[];
  /** Feed of an in-app message; null where there is none. */
  @ApiProperty({ type: String, nullable: true })
  _feedId: string | null;
  /** Layout of an e-mail; null where there is none. */
  @ApiProperty({ type: String, nullable: true })
  _layoutId: string | null;
  _environmentId: string;
  _organizationId: string;
  _creatorId: string;
  deleted: boolean;
  createdAt: Date;
  updatedAt: Date;
  __v: number;

  static from(template: StepTemplate, step: StepVariant, workflow: Workflow): StepTemplateResponse {
    const id = step._id.toHexString();
    const { _feedId, _layoutId, ...said } = template;
    return Object.assign(new StepTemplateResponse(), {
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
}

/** What every view of a step shows (interface 2.6). */
abstract class StepFields {
  /** @example 64f0c1a2b3c4d5e6f7a8b9c0 */
  _id: string;
  /** Equal to `_id`. */
  id: string;
  /** Equal to `_id`: a template belongs to one step. */
  _templateId: string;
  /** Names the step to conditions of later steps. */
  uuid: string;
  stepId?: string;
  /** @example Tell the customer */
  name?: string;
  active: boolean;
  /** True ends the run of a recipient for whom this step fails. */
  shouldStopOnFail: boolean;
  /** Groups of conditions of which one must pass. */
  @ApiProperty({ type: 'array', items: { type: 'object', additionalProperties: true } })
  filters: ConditionGroup[];
  /** Id of the step before; null for the first one. */
  @ApiProperty({ type: String, nullable: true })
  _parentId: string | null;
  /** When a digest or delay goes on. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  metadata: StepMetadata;
  @ApiProperty({ type: 'object', additionalProperties: true })
  replyCallback: ReplyCallback;
}

/** One alternative of a step. */
export class StepVariantResponse extends StepFields {
  @ApiProperty({ type: () => StepTemplateResponse })
  template: StepTemplateResponse;

  static listOf(steps: readonly StepVariant[], workflow: Workflow): StepVariantResponse[] {
    return steps.map((step, index) =>
      Object.assign(new StepVariantResponse(), commonFields(step, steps[index - 1]), {
        template: StepTemplateResponse.from(step.template, step, workflow),
      }),
    );
  }
}

/** One step of a workflow. */
export class StepResponse extends StepVariantResponse {
  /** Alternatives, of which the first whose filters pass takes the place of the step. */
  @ApiProperty({ type: () => [StepVariantResponse] })
  variants: StepVariantResponse[];

  static override listOf(steps: readonly Step[], workflow: Workflow): StepResponse[] {
    const common = StepVariantResponse.listOf(steps, workflow);
    return steps.map(({ variants }, index) =>
      Object.assign(new StepResponse(), common[index], { variants: StepVariantResponse.listOf(variants, workflow) }),
    );
  }
}

/** Of a template, what lists show. */
export class TemplateSummaryResponse {
  _id: string;
  @ApiProperty({ enum: TEMPLATE_TYPES })
  type: string;
}

/** One step as lists of workflows show it, without variants. */
export class StepSummaryResponse extends StepFields {
  @ApiProperty({ type: () => TemplateSummaryResponse })
  template: TemplateSummaryResponse;

  static listOf(steps: readonly Step[]): StepSummaryResponse[] {
    return steps.map((step, index) =>
      Object.assign(new StepSummaryResponse(), commonFields(step, steps[index - 1]), {
        template: { _id: step._id.toHexString(), type: step.template.type },
      }),
    );
  }
}

function commonFields(step: StepVariant, previous: StepVariant | undefined): StepFields {
  const id = step._id.toHexString();
  return {
    _id: id,
    id,
    _templateId: id,
    uuid: step.uuid,
    ...(step.stepId !== undefined && { stepId: step.stepId }),
    ...(step.name !== undefined && { name: step.name }),
    active: step.active,
    shouldStopOnFail: step.shouldStopOnFail,
    filters: step.filters,
    _parentId: previous?._id.toHexString() ?? null,
    metadata: { ...step.metadata, timed: { weekDays: [], monthDays: [], ...step.metadata.timed } },
    replyCallback: step.replyCallback,
  };
}
