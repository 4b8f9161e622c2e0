import { Type } from 'class-transformer';
import { IsBoolean, IsObject, IsOptional, ValidateNested } from 'class-validator';
import { IsName } from '#libs/http-kit';
import { PreferenceSettingsDto } from '../workflows/index.js';

/** What is absent stays; null makes it follow the workflow again. */
export class UpdateWorkflowOverrideDto {
  /**
   * Whether the workflow can be triggered for this tenant, regardless of the workflow's own `active`.
   * @example false
   */
  @IsOptional()
  @IsBoolean()
  active?: boolean | null;

  /** Channels that are different for this tenant. Merged with what is stored. */
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => PreferenceSettingsDto)
  preferenceSettings?: PreferenceSettingsDto | null;
}

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
