import { ApiHideProperty, ApiPropertyOptional, PickType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsObject, IsOptional, ValidateNested } from 'class-validator';
import { apiOf, AsDeclared, IsListOf, IsValidBy, IsName, OptionalString } from '#libs/http-kit';
import { type WeeklySchedule, weeklySchedule } from '#libs/schedule';
import { ListInboxPreferencesQuery } from '../../browser/inbox/index.js';
import { PreferenceSettingsDto } from '../../content/workflows/index.js';
import { NotServedField } from '../not-served/index.js';

const MAX_PREFERENCES = 100;

export class SubscriberPreferencesQuery extends PickType(ListInboxPreferencesQuery, ['criticality']) {}

export class PatchPreferencesDto {
  /** Switches of channels. Absent ones are unchanged; null leaves the channel to the workflow again. */
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => PreferenceSettingsDto)
  @ApiPropertyOptional({ type: () => PreferenceSettingsDto, nullable: true })
  channels?: PreferenceSettingsDto | null;

  /**
   * Id or trigger identifier of the workflow. Absent: the preference for all workflows.
   * @example order-shipped
   */
  @OptionalString()
  workflowId?: string | null;

  /** When messages other than in-app ones may be sent, of all workflows. Replaces the schedule; null removes it. */
  @ApiPropertyOptional(apiOf(weeklySchedule))
  @IsOptional()
  @AsDeclared(weeklySchedule)
  @IsValidBy('isSchedule', weeklySchedule)
  schedule?: WeeklySchedule | null;

  @ApiHideProperty()
  @NotServedField()
  context?: unknown;
}

export class BulkPreferenceDto {
  /** Switches of channels. Absent ones are unchanged; null leaves the channel to the workflow again. */
  @IsObject()
  @ValidateNested()
  @Type(() => PreferenceSettingsDto)
  channels: PreferenceSettingsDto;

  /**
   * Id or trigger identifier of the workflow.
   * @example order-shipped
   */
  @IsName()
  workflowId: string;
}

export class BulkPreferencesDto {
  /** Up to 100 workflows with their switches. */
  @IsListOf(() => BulkPreferenceDto, MAX_PREFERENCES)
  preferences: BulkPreferenceDto[];

  @ApiHideProperty()
  @NotServedField()
  context?: unknown;
}
