import { Type } from 'class-transformer';
import { IsBoolean, IsObject, IsOptional, ValidateNested } from 'class-validator';
import { PreferenceSettingsDto } from '../../workflows/index.js';

/** What is absent stays; null makes it follow the workflow again. */
export class UpdateWorkflowOverrideDto {
  /**
   * Whether the workflow can be triggered for this tenant, whatever the workflow itself says.
   * @example false
   */
  @IsOptional()
  @IsBoolean()
  active?: boolean | null;

  /** Switches of channels that differ from the workflow's for this tenant; they are merged. */
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => PreferenceSettingsDto)
  preferenceSettings?: PreferenceSettingsDto | null;
}
