import { IsName } from '#libs/http-kit';
import { UpdateWorkflowOverrideDto } from './update-workflow-override.dto.js';

export class CreateWorkflowOverrideDto extends UpdateWorkflowOverrideDto {
  /**
   * Id or trigger identifier of the workflow.
   * @example order-shipped
   */
  @IsName()
  workflowId: string;

  /**
   * Id or identifier of the tenant.
   * @example acme
   */
  @IsName()
  tenantId: string;
}
