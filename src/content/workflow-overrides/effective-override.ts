import { CHANNELS } from '#libs/channels';
import type { ChannelSwitches, PreferenceSettingsDto, ResolvedWorkflow } from '../workflows/index.js';
import type { UpdateWorkflowOverrideDto } from './workflow-override.dto.js';
import type { WorkflowOverride } from './workflow-override.schema.js';

export interface EffectiveOverride {
  readonly active: boolean;
  readonly preferenceSettings: ChannelSwitches;
}

type Stored = Pick<WorkflowOverride, 'active' | 'preferenceSettings'>;
type Overridden = Pick<ResolvedWorkflow, 'active' | 'preferenceSettings'>;

const INACTIVE: Overridden = {
  active: false,
  preferenceSettings: { email: true, sms: true, in_app: true, chat: true, push: true },
};

/** Absent settings follow the workflow. @param workflow undefined: it is being deleted */
export function effectiveOverride(override: Stored, workflow: Overridden = INACTIVE): EffectiveOverride {
  return {
    active: override.active ?? workflow.active,
    preferenceSettings: { ...workflow.preferenceSettings, ...override.preferenceSettings },
  };
}

export function givenSwitches(sent: PreferenceSettingsDto): Partial<ChannelSwitches> {
  return Object.fromEntries(
    CHANNELS.filter((channel) => typeof sent[channel] === 'boolean').map((channel) => [channel, sent[channel]]),
  );
}

/** Merges switches one by one; null removes a setting. */
export function overrideChange({ active, preferenceSettings }: UpdateWorkflowOverrideDto): {
  $set?: Record<string, unknown>;
  $unset?: Record<string, 1>;
} {
  const fields: [string, boolean | null | undefined][] = [['active', active]];
  if (preferenceSettings) {
    for (const channel of CHANNELS) fields.push([`preferenceSettings.${channel}`, preferenceSettings[channel]]);
  }
  const set = fields.filter(([, value]) => typeof value === 'boolean');
  const unset = fields.filter(([, value]) => value === null).map(([key]): [string, 1] => [key, 1]);
  if (preferenceSettings === null) unset.push(['preferenceSettings', 1]);
  return {
    ...(set.length > 0 && { $set: Object.fromEntries(set) }),
    ...(unset.length > 0 && { $unset: Object.fromEntries(unset) }),
  };
}
