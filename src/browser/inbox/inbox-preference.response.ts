import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { apiOf, shown } from '#libs/http-kit';
import { type WeeklySchedule, weeklySchedule } from '#libs/schedule';
import {
  type GlobalPreferenceResponse,
  PreferenceGroupResponse,
  type WorkflowPreferenceResponse,
} from '../../content/preferences/index.js';
import type { WorkflowSummary } from '../../content/workflows/index.js';
import { InboxWorkflowResponse, showInboxWorkflow } from './inbox-notification.response.js';

const LEVELS = ['global', 'template'] as const;

/** A preference as the Inbox shows it. */
export class InboxPreferenceResponse {
  /** For all workflows, or for one. */
  @ApiProperty({ enum: LEVELS, example: 'template' })
  level: (typeof LEVELS)[number];
  /** Whether notifications are enabled. */
  enabled: boolean;
  /** Whether each channel is enabled. */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'boolean' }, example: { email: true, in_app: false } })
  channels: Record<string, boolean>;
  /** Only on the level `template`. */
  workflow?: InboxWorkflowResponse;
  /** Heading under which the workflow stands. Absent if its group has neither an order nor a description. */
  notificationGroup?: PreferenceGroupResponse;
  /** When messages other than in-app ones may be sent. Only on the level `global`. */
  @ApiPropertyOptional(apiOf(weeklySchedule))
  schedule?: WeeklySchedule;
}

export function showGlobalInboxPreference({ preference }: GlobalPreferenceResponse): InboxPreferenceResponse {
  const { enabled, channels, schedule } = preference;
  return shown(InboxPreferenceResponse, {
    level: 'global',
    enabled,
    channels,
    schedule: schedule ?? { isEnabled: false },
  });
}

export function showInboxPreference(
  { preference, notificationGroup }: WorkflowPreferenceResponse,
  workflow: WorkflowSummary,
): InboxPreferenceResponse {
  const { enabled, channels } = preference;
  return shown(InboxPreferenceResponse, {
    level: 'template',
    enabled,
    channels,
    workflow: showInboxWorkflow(workflow),
    notificationGroup,
  });
}
