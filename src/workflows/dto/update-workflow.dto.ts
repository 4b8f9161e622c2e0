import { IntersectionType, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { OptionalString } from '#libs/http-kit';
import { CreateWorkflowDto } from './create-workflow.dto.js';

/**
 * What is absent stays; null removes what can be absent. `steps` replaces the list, `preferenceSettings` is merged.
 * Whether it is active is the business of PUT /v1/workflows/{workflowId}/status.
 */
export class UpdateNotificationTemplateDto extends PartialType(
  OmitType(CreateWorkflowDto, ['active', 'draft', 'blueprintId', 'notificationGroup']),
) {
  /**
   * New trigger identifier, taken as it is.
   * @example order-shipped
   */
  @OptionalString()
  identifier?: string | null;
}

/** As {@link UpdateNotificationTemplateDto}, with the two fields that the contract requires (interface 4.5). */
export class UpdateWorkflowDto extends IntersectionType(
  PickType(CreateWorkflowDto, ['name', 'notificationGroupId']),
  OmitType(UpdateNotificationTemplateDto, ['name', 'notificationGroupId']),
) {}
