import { ApiProperty, ApiPropertyOptional, getSchemaPath, PickType } from '@nestjs/swagger';
import { CHANNELS, type Channel } from '#libs/channels';
import { apiOf, shown } from '#libs/http-kit';
import { type WeeklySchedule, weeklySchedule } from '#libs/schedule';
import { NotificationGroupResponse } from '../notification-groups/index.js';
import type { ResolvedWorkflow } from '../workflows/index.js';
import {
  type ChannelSwitches,
  type EffectivePreference,
  OVERRIDE_SOURCES,
  type OverrideSource,
} from './effective-preference.js';

const SWITCHES = {
  type: 'object',
  additionalProperties: { type: 'boolean' },
  example: { email: true, in_app: false },
} as const;

/** Source of a channel setting. */
export class PreferenceOverrideResponse {
  /** The channel. */
  @ApiProperty({ enum: CHANNELS, example: 'email' })
  channel: Channel;
  /** Source of the setting. */
  @ApiProperty({ enum: OVERRIDE_SOURCES, example: 'subscriber' })
  source: OverrideSource;
}

/** Effective settings of a preference. */
export class PreferenceSettingsResponse {
  /** Whether notifications of the workflow are enabled; on the global preference, all notifications. */
  enabled: boolean;
  /** Whether each channel is enabled. */
  @ApiProperty(SWITCHES)
  channels: ChannelSwitches;
  @ApiPropertyOptional({
    type: () => [PreferenceOverrideResponse],
    description: 'Source of each channel setting that differs from the default. Only on preferences for a workflow.',
  })
  overrides?: PreferenceOverrideResponse[];
  /** When messages other than in-app ones may be sent. Only on the global preference, and only if it was set. */
  @ApiPropertyOptional(apiOf(weeklySchedule))
  schedule?: WeeklySchedule;
}

/** The global preference. */
export class GlobalPreferenceResponse {
  preference: PreferenceSettingsResponse;
}

export function showGlobalPreference(preference: PreferenceSettingsResponse): GlobalPreferenceResponse {
  return shown(GlobalPreferenceResponse, { preference });
}

/** Fields of a workflow's trigger in preferences. */
export class PreferenceTriggerResponse {
  /** Kind of trigger. */
  @ApiProperty({ enum: ['event'] })
  type: 'event';
  /**
   * Trigger identifier of the workflow.
   * @example order-shipped
   */
  identifier: string;
  /** Variables that the templates read from the payload. */
  @ApiProperty({ type: 'array', items: { type: 'object', additionalProperties: true } })
  variables: unknown[];
}

/** Fields of a workflow in preferences. */
export class PreferenceTemplateResponse {
  /** @example 64f0c1a2b3c4d5e6f7a8b9c0 */
  _id: string;
  /** Equal to `_id`. */
  id: string;
  /**
   * Display name of the workflow.
   * @example Order shipped
   */
  name: string;
  /** Labels for grouping workflows. */
  tags: string[];
  /** Subscribers cannot switch off a critical workflow. */
  critical: boolean;
  /** How the workflow is triggered. */
  @ApiProperty({ type: () => [PreferenceTriggerResponse] })
  triggers: PreferenceTriggerResponse[];
  /** Free-form data of the workflow. */
  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  data?: Record<string, unknown>;
}

/** A notification group that recipients see. */
export class PreferenceGroupResponse extends PickType(NotificationGroupResponse, [
  '_id',
  'name',
  'description',
  'order',
]) {}

/** The preference for one workflow. */
export class WorkflowPreferenceResponse {
  template: PreferenceTemplateResponse;
  /** Where recipients see the workflow. Absent if its group has neither an order nor a description. */
  notificationGroup?: PreferenceGroupResponse;
  preference: PreferenceSettingsResponse;
  /** Constant; kept for compatibility. */
  @ApiProperty({ enum: ['SUBSCRIBER_WORKFLOW'] })
  type: 'SUBSCRIBER_WORKFLOW';
}

/** @param group of the workflow */
export function showWorkflowPreference(
  workflow: ResolvedWorkflow,
  effective: EffectivePreference,
  group: NotificationGroupResponse | undefined,
): WorkflowPreferenceResponse {
  const { id, name, tags, critical, identifier, trigger, data } = workflow;
  const { enabled, channels, overrides } = effective;
  return shown(WorkflowPreferenceResponse, {
    template: shown(PreferenceTemplateResponse, {
      _id: id,
      id,
      name,
      tags: [...tags],
      critical,
      triggers: [shown(PreferenceTriggerResponse, { type: 'event', identifier, variables: [...trigger.variables] })],
      data,
    }),
    notificationGroup: group && shownGroup(group),
    preference: shown(PreferenceSettingsResponse, { enabled, channels, overrides: [...overrides] }),
    type: 'SUBSCRIBER_WORKFLOW',
  });
}

function shownGroup({ _id, name, description, order }: NotificationGroupResponse): PreferenceGroupResponse | undefined {
  if (!description && order === undefined) return undefined;
  return shown(PreferenceGroupResponse, { _id, name, description, order });
}

/** Groups in their order, those without one by name, and last what has no group that recipients see. */
export function inGroups(preferences: readonly WorkflowPreferenceResponse[]): WorkflowPreferenceResponse[] {
  return preferences.toSorted(({ notificationGroup: one }, { notificationGroup: other }) => {
    if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined);
    const byOrder = (one.order ?? LAST) - (other.order ?? LAST);
    return byOrder || one.name.localeCompare(other.name) || (one._id < other._id ? -1 : Number(one._id > other._id));
  });
}

const LAST = Number.MAX_SAFE_INTEGER;

/** The OpenAPI schema of the preferences on one level. */
export const PREFERENCES_OF_LEVEL = {
  type: 'object',
  required: ['data'],
  properties: {
    data: {
      type: 'array',
      items: {
        anyOf: [
          { $ref: getSchemaPath(WorkflowPreferenceResponse.name) },
          { $ref: getSchemaPath(GlobalPreferenceResponse.name) },
        ],
      },
    },
  },
};
