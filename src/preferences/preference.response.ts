import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { CHANNELS, type Channel } from '#libs/channels';
import { shown } from '#libs/http-kit';
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

/** Who had the last word about a channel. */
export class PreferenceOverrideResponse {
  /** The channel. */
  @ApiProperty({ enum: CHANNELS, example: 'email' })
  channel: Channel;
  /** Who has decided about the channel. */
  @ApiProperty({ enum: OVERRIDE_SOURCES, example: 'subscriber' })
  source: OverrideSource;
}

/** What holds. */
export class PreferenceSettingsResponse {
  /** Whether the workflow, or with the global preference everything, is wanted at all. */
  enabled: boolean;
  /** Whether each channel is wanted. */
  @ApiProperty(SWITCHES)
  channels: ChannelSwitches;
  @ApiPropertyOptional({
    type: () => [PreferenceOverrideResponse],
    description: 'Who decided about each channel that is not left at its default. Only on preferences of a workflow.',
  })
  overrides?: PreferenceOverrideResponse[];
}

/** The preference about everything. */
export class GlobalPreferenceResponse {
  preference: PreferenceSettingsResponse;
}

export function showGlobalPreference(preference: PreferenceSettingsResponse): GlobalPreferenceResponse {
  return shown(GlobalPreferenceResponse, { preference });
}

/** What is shown of the trigger of a workflow. */
export class PreferenceTriggerResponse {
  /** Kind of trigger. */
  @ApiProperty({ enum: ['event'] })
  type: 'event';
  /**
   * Trigger identifier of the workflow.
   * @example order-shipped
   */
  identifier: string;
  /** What the templates read from the payload. */
  @ApiProperty({ type: 'array', items: { type: 'object', additionalProperties: true } })
  variables: unknown[];
}

/** What is shown of the workflow that a preference is about. */
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
  /** Labels to group workflows by. */
  tags: string[];
  /** Subscribers cannot switch it off. */
  critical: boolean;
  /** How the workflow is triggered. */
  @ApiProperty({ type: () => [PreferenceTriggerResponse] })
  triggers: PreferenceTriggerResponse[];
  /** Free-form data of the workflow. */
  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  data?: Record<string, unknown>;
}

/** The preference about one workflow. */
export class WorkflowPreferenceResponse {
  template: PreferenceTemplateResponse;
  preference: PreferenceSettingsResponse;
  /** Always the same; kept for compatibility. */
  @ApiProperty({ enum: ['SUBSCRIBER_WORKFLOW'] })
  type: 'SUBSCRIBER_WORKFLOW';
}

export function showWorkflowPreference(
  workflow: ResolvedWorkflow,
  effective: EffectivePreference,
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
      ...(data !== undefined && { data }),
    }),
    preference: shown(PreferenceSettingsResponse, { enabled, channels, overrides: [...overrides] }),
    type: 'SUBSCRIBER_WORKFLOW',
  });
}
