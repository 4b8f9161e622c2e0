import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { apiOf, shown } from '#libs/http-kit';
import { type WeeklySchedule, weeklySchedule } from '#libs/schedule';
import {
  type GlobalPreferenceResponse,
  PreferenceGroupResponse,
  PreferenceOverrideResponse,
  type WorkflowPreferenceResponse,
} from '../../content/preferences/index.js';

const SWITCHES = {
  type: 'object',
  additionalProperties: { type: 'boolean' },
  example: { email: true, in_app: false },
} as const;

/** The preference for all workflows. */
export class GlobalPreferenceV2Response {
  /** Whether notifications are enabled. */
  enabled: boolean;
  /** Whether each channel is enabled. */
  @ApiProperty(SWITCHES)
  channels: Record<string, boolean>;
  /** When messages other than in-app ones may be sent, if it was set. */
  @ApiPropertyOptional(apiOf(weeklySchedule))
  schedule?: WeeklySchedule;
}

/** The workflow of a preference. */
export class PreferenceWorkflowResponse {
  /**
   * Equal to `identifier`.
   * @example order-shipped
   */
  slug: string;
  /**
   * Trigger identifier of the workflow.
   * @example order-shipped
   */
  identifier: string;
  /**
   * Display name of the workflow.
   * @example Order shipped
   */
  name: string;
}

/** The preference for one workflow. */
export class WorkflowPreferenceV2Response {
  /** Whether notifications of the workflow are enabled. */
  enabled: boolean;
  /** Whether each channel is enabled. */
  @ApiProperty(SWITCHES)
  channels: Record<string, boolean>;
  /** Source of each channel setting that differs from the default. */
  @ApiProperty({ type: () => [PreferenceOverrideResponse] })
  overrides: PreferenceOverrideResponse[];
  workflow: PreferenceWorkflowResponse;
  /** Where recipients see the workflow. Absent if its group has neither an order nor a description. */
  notificationGroup?: PreferenceGroupResponse;
}

/** All preferences of a subscriber. */
export class SubscriberPreferencesResponse {
  global: GlobalPreferenceV2Response;
  /** Of active workflows that are not hidden: by group, and oldest first. */
  @ApiProperty({ type: () => [WorkflowPreferenceV2Response] })
  workflows: WorkflowPreferenceV2Response[];
}

export function showPreferences(
  { preference: { enabled, channels, schedule } }: GlobalPreferenceResponse,
  workflows: readonly WorkflowPreferenceResponse[],
): SubscriberPreferencesResponse {
  return shown(SubscriberPreferencesResponse, {
    global: shown(GlobalPreferenceV2Response, { enabled, channels, schedule }),
    workflows: workflows.map(showOfWorkflow),
  });
}

function showOfWorkflow({
  template,
  preference,
  notificationGroup,
}: WorkflowPreferenceResponse): WorkflowPreferenceV2Response {
  const identifier = template.triggers[0]?.identifier ?? template.id;
  return shown(WorkflowPreferenceV2Response, {
    enabled: preference.enabled,
    channels: preference.channels,
    overrides: preference.overrides ?? [],
    workflow: shown(PreferenceWorkflowResponse, { slug: identifier, identifier, name: template.name }),
    notificationGroup,
  });
}
