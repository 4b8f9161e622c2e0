import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { CHANNELS, type Channel } from '#libs/channels';
import type { ResolvedWorkflow } from '../../workflows/index.js';
import {
  type ChannelSwitches,
  type EffectivePreference,
  OVERRIDE_SOURCES,
  type OverrideSource,
} from '../effective-preference.js';

const SWITCHES = {
  type: 'object',
  additionalProperties: { type: 'boolean' },
  example: { email: true, in_app: false },
} as const;

/** Who had the last word about a channel. */
export class PreferenceOverrideResponse {
  @ApiProperty({ enum: CHANNELS, example: 'email' })
  channel: Channel;
  @ApiProperty({ enum: OVERRIDE_SOURCES, example: 'subscriber' })
  source: OverrideSource;
}

/** What holds. */
export class PreferenceSettingsResponse {
  /** Whether it is on at all. */
  enabled: boolean;
  @ApiProperty(SWITCHES)
  channels: ChannelSwitches;
  @ApiPropertyOptional({
    type: () => [PreferenceOverrideResponse],
    description: 'For each channel about which anybody has said anything. Only on preferences of a workflow.',
  })
  overrides?: PreferenceOverrideResponse[];
}

/** The preference about everything. */
export class GlobalPreferenceResponse {
  preference: PreferenceSettingsResponse;

  static of(preference: PreferenceSettingsResponse): GlobalPreferenceResponse {
    return Object.assign(new GlobalPreferenceResponse(), { preference });
  }
}

/** What is shown of the trigger of a workflow. */
export class PreferenceTriggerResponse {
  @ApiProperty({ enum: ['event'] })
  type: 'event';
  /** @example order-shipped */
  identifier: string;
  @ApiProperty({ type: 'array', items: { type: 'object', additionalProperties: true } })
  variables: unknown[];
}

/** What is shown of the workflow that a preference is about. */
export class PreferenceTemplateResponse {
  /** @example 64f0c1a2b3c4d5e6f7a8b9c0 */
  _id: string;
  /** Equal to `_id`. */
  id: string;
  /** @example Order shipped */
  name: string;
  tags: string[];
  /** Subscribers cannot switch it off. */
  critical: boolean;
  @ApiProperty({ type: () => [PreferenceTriggerResponse] })
  triggers: PreferenceTriggerResponse[];
  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  data?: Record<string, unknown>;
}

/** The preference about one workflow. */
export class WorkflowPreferenceResponse {
  template: PreferenceTemplateResponse;
  preference: PreferenceSettingsResponse;
  @ApiProperty({ enum: ['SUBSCRIBER_WORKFLOW'] })
  type: 'SUBSCRIBER_WORKFLOW';

  static of(workflow: ResolvedWorkflow, effective: EffectivePreference): WorkflowPreferenceResponse {
    const { id, name, tags, critical, identifier, trigger, data } = workflow;
    const { enabled, channels, overrides } = effective;
    return Object.assign(new WorkflowPreferenceResponse(), {
      template: {
        _id: id,
        id,
        name,
        tags: [...tags],
        critical,
        triggers: [{ type: 'event' as const, identifier, variables: [...trigger.variables] }],
        ...(data !== undefined && { data }),
      },
      preference: { enabled, channels, overrides: [...overrides] },
      type: 'SUBSCRIBER_WORKFLOW' as const,
    });
  }
}
