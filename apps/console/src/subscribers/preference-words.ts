import type { Schemas } from '../api/client.js';

export const CHANNELS = ['in_app', 'email', 'sms', 'push', 'chat'] as const;
export type Channel = (typeof CHANNELS)[number];

type Settings = Schemas['PreferenceSettingsResponse'];

/** The channels of which there is a setting: those of the active steps of a workflow. */
export function channelsIn({ channels }: Pick<Settings, 'channels'>): Channel[] {
  return CHANNELS.filter((channel) => channels[channel] !== undefined);
}

/** The settings for all workflows, in the answer for the level `global`. */
export function globalIn(rows: readonly { readonly preference: Settings }[]): Settings | undefined {
  return rows[0]?.preference;
}

const SOURCES: Readonly<Record<string, string>> = { template: 'workflow', workflowOverride: 'tenant' };

/** Who decided, if it was not the subscriber. */
export function ownSourceOf({ overrides, channels }: Settings, channel: Channel): string | undefined {
  if (channels[channel] === true) return undefined;
  return SOURCES[overrides?.find((one) => one.channel === channel)?.source ?? ''];
}
