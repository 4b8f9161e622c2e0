import { ApiPropertyOptional, OmitType, PartialType } from '@nestjs/swagger';
import { ValidateIf } from 'class-validator';
import { IsName, NAME_LENGTH, OptionalString, ReadBack } from '#libs/http-kit';
import { CreateWorkflowDto, SHOWN_OF_WORKFLOWS } from './create-workflow.dto.js';

/**
 * What is absent stays; null removes what can be absent. `steps` replaces the list, `preferenceSettings` is merged.
 * PUT /v1/workflows/{workflowId}/status switches it on and off.
 */
@ReadBack(...SHOWN_OF_WORKFLOWS, 'active', 'draft', 'blueprintId', 'notificationGroup')
export class UpdateNotificationTemplateDto extends PartialType(
  OmitType(CreateWorkflowDto, ['name', 'active', 'draft', 'blueprintId', 'notificationGroup']),
) {
  /**
   * New display name. An empty text means unchanged; the trigger identifier stays.
   * @example "Order shipped"
   */
  @ValidateIf(({ name }: UpdateNotificationTemplateDto) => name !== undefined && name !== null && name !== '')
  @IsName()
  @ApiPropertyOptional({ type: String, maxLength: NAME_LENGTH, minLength: 0, nullable: true })
  name?: string | null;

  /**
   * New trigger identifier, used exactly as given.
   * @example order-shipped
   */
  @OptionalString()
  identifier?: string | null;
}

/** Under the path of the contract. */
export class UpdateWorkflowDto extends UpdateNotificationTemplateDto {}
