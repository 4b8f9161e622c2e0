import { Type } from 'class-transformer';
import { IsBoolean, IsObject, IsOptional, ValidateNested } from 'class-validator';
import { IsName, PageQuery } from '#libs/http-kit';
import { PreferenceSettingsDto } from '../workflows/index.js';

export class ListWorkflowOverridesQuery extends PageQuery {
  /**
   * Only overrides of this workflow: its id or trigger identifier.
   * @example order-shipped
   */
  @IsOptional()
  @IsName()
  workflowId?: string;
}

/** Absent fields are unchanged; null restores the workflow's setting. */
export class UpdateWorkflowOverrideDto {
  /**
   * Whether the workflow can be triggered for this tenant, regardless of the workflow's own `active`.
   * @example false
   */
  @IsOptional()
  @IsBoolean()
  active?: boolean | null;

  /** Channels that differ for this tenant. Merged with the stored settings. */
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

/** A workflow override without ids. What is absent has the workflow's setting. */
export class WorkflowOverrideDefinitionDto {
  /**
   * Trigger identifier of the workflow.
   * @example order-shipped
   */
  @IsName()
  workflow: string;

  /**
   * Identifier of the tenant, which must exist.
   * @example acme
   */
  @IsName()
  tenant: string;

  /**
   * Whether the workflow can be triggered for this tenant, regardless of the workflow's own `active`.
   * @example false
   */
  @IsOptional()
  @IsBoolean()
  active?: boolean | null;

  /** Channels that differ for this tenant. */
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => PreferenceSettingsDto)
  preferenceSettings?: PreferenceSettingsDto | null;
}
