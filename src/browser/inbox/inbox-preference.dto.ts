import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { apiOf, AsDeclared, AsSent, IsListOf, IsName, IsValidBy } from '#libs/http-kit';
import { type WeeklySchedule, weeklySchedule } from '#libs/schedule';
import { severityFaults, tagFaults } from '../../engine/messages/inbox/index.js';
import { PreferenceSettingsDto, SEVERITIES, type Severity } from '../../content/workflows/index.js';

const CRITICALITIES = ['all', 'critical', 'nonCritical'] as const;
const MAX_PREFERENCES = 100;

export class ListInboxPreferencesQuery {
  @ApiPropertyOptional({ enum: CRITICALITIES, description: 'Only workflows of this kind.' })
  @IsOptional()
  @IsIn(CRITICALITIES)
  criticality: (typeof CRITICALITIES)[number] = 'nonCritical';

  @ApiPropertyOptional({ type: [String], description: 'Only workflows with one of these tags.' })
  @IsOptional()
  @AsSent()
  @IsValidBy('areTagGroups', tagFaults)
  tags?: unknown;

  @ApiPropertyOptional({ enum: SEVERITIES, isArray: true, description: 'Only workflows of these severities.' })
  @IsOptional()
  @AsSent()
  @IsValidBy('areSeverities', severityFaults)
  severity?: Severity | Severity[];
}

/** Switches of channels. Absent ones are unchanged; null leaves the channel to the workflow again. */
export class InboxChannelsDto extends PreferenceSettingsDto {}

export class UpdateInboxPreferenceDto extends InboxChannelsDto {
  /** When messages other than in-app ones may be sent. Replaces the schedule; null removes it. */
  @ApiPropertyOptional(apiOf(weeklySchedule))
  @IsOptional()
  @AsDeclared(weeklySchedule)
  @IsValidBy('isSchedule', weeklySchedule)
  schedule?: WeeklySchedule | null;
}

export class InboxWorkflowChannelsDto extends InboxChannelsDto {
  /**
   * Id or trigger identifier of the workflow.
   * @example order-shipped
   */
  @IsName()
  workflowId: string;
}

export class BulkInboxPreferencesDto {
  /** Up to 100 workflows with their switches. */
  @IsListOf(() => InboxWorkflowChannelsDto, MAX_PREFERENCES)
  preferences: InboxWorkflowChannelsDto[];
}
