import { ApiExtraModels, ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import { NAME_LENGTH } from '#libs/http-kit';
import { ConditionGroupDto } from './condition.dto.js';
import { ReplyCallbackDto, StepMetadataDto } from './step-metadata.dto.js';
import { type StepTemplateDto, TEMPLATE_DTOS } from './step-template.dto.js';

const NAMED = { type: String, maxLength: NAME_LENGTH } as const;

/**
 * An alternative of a step, as it is sent. For the OpenAPI document only: `validateSteps` checks what is sent, with the
 * path of each fault.
 */
@ApiExtraModels(...Object.values(TEMPLATE_DTOS))
export class StepVariantDto {
  /** Id of an existing step: the step keeps its id, and the template fields that are absent here. */
  _id?: string;

  /** Names the step to conditions of later steps; generated when absent. */
  @ApiPropertyOptional(NAMED)
  uuid?: string;

  /** Your own name of the step for programs. */
  @ApiPropertyOptional(NAMED)
  stepId?: string;

  /**
   * Name of the step.
   * @example Tell the customer
   */
  @ApiPropertyOptional(NAMED)
  name?: string;

  /** Inactive steps are left out. True unless given. */
  @ApiPropertyOptional({ type: Boolean, default: true })
  active?: boolean;

  /** True ends the run of a recipient for whom this step fails. */
  @ApiPropertyOptional({ type: Boolean, default: false })
  shouldStopOnFail?: boolean;

  /** What the step sends or does; `type` says which fields there are. Further fields are kept as they were sent. */
  @ApiProperty({
    oneOf: Object.values(TEMPLATE_DTOS).map((template) => ({ $ref: getSchemaPath(template) })),
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(
        Object.entries(TEMPLATE_DTOS).map(([type, template]) => [type, getSchemaPath(template)]),
      ),
    },
  })
  template: StepTemplateDto;

  /** The step runs if one of these groups of conditions passes, or if there is none. */
  @ApiPropertyOptional({ type: () => [ConditionGroupDto] })
  filters?: ConditionGroupDto[];

  /** When a digest or a delay goes on; needed by these two. */
  @ApiPropertyOptional({ type: () => StepMetadataDto })
  metadata?: StepMetadataDto;

  /** Where replies of a recipient are forwarded to. */
  @ApiPropertyOptional({ type: () => ReplyCallbackDto })
  replyCallback?: ReplyCallbackDto;
}

/** A step as it is sent. */
export class StepDto extends StepVariantDto {
  /** Alternatives of the same type, of which the first whose filters pass takes the place of the step. */
  @ApiPropertyOptional({ type: () => [StepVariantDto], maxItems: 50 })
  variants?: StepVariantDto[];
}
