import { CHANNELS, type Channel } from '#libs/channels';
import type { WeeklySchedule } from '#libs/schedule';

/** An absent channel follows the previous source. */
export type ChannelSwitches = Partial<Record<Channel, boolean>>;

/** Absent settings are on. */
export interface ChannelPreference {
  readonly enabled?: boolean;
  readonly channels?: ChannelSwitches;
  /** Does not apply to in-app; only in the global preference. */
  readonly schedule?: WeeklySchedule;
}

export const OVERRIDE_SOURCES = ['template', 'workflowOverride', 'subscriber'] as const;
export type OverrideSource = (typeof OVERRIDE_SOURCES)[number];

export interface PreferenceSources {
  /** With an active step in the workflow; others are not shown. */
  readonly workflowChannels: Iterable<string>;
  readonly workflow?: ChannelSwitches | undefined;
  readonly override?: ChannelSwitches | undefined;
  readonly subscriber?: ChannelPreference | undefined;
}

export interface EffectivePreference {
  readonly enabled: boolean;
  readonly channels: ChannelSwitches;
  readonly overrides: readonly { readonly channel: Channel; readonly source: OverrideSource }[];
}

/** Later ones win: all on, workflow, tenant's override, subscriber. */
export function effectivePreference(sources: PreferenceSources): EffectivePreference {
  const used = new Set(sources.workflowChannels);
  const bySource: [OverrideSource, ChannelSwitches | undefined][] = [
    ['template', sources.workflow],
    ['workflowOverride', sources.override],
    ['subscriber', sources.subscriber?.channels],
  ];
  const channels: ChannelSwitches = {};
  const overrides: { channel: Channel; source: OverrideSource }[] = [];
  for (const channel of CHANNELS.filter((name) => used.has(name))) {
    channels[channel] = true;
    const last = bySource.findLast(([, switches]) => typeof switches?.[channel] === 'boolean');
    if (last === undefined) continue;
    channels[channel] = last[1]?.[channel] === true;
    overrides.push({ channel, source: last[0] });
  }
  return { enabled: sources.subscriber?.enabled !== false, channels, overrides };
}

/** Channels that are not set are on. */
export function globalPreference(stored: ChannelPreference | undefined): {
  enabled: boolean;
  channels: Record<Channel, boolean>;
  schedule?: WeeklySchedule;
} {
  const channels = Object.fromEntries(CHANNELS.map((channel) => [channel, stored?.channels?.[channel] !== false]));
  return {
    enabled: stored?.enabled !== false,
    channels: channels as Record<Channel, boolean>,
    ...(stored?.schedule && { schedule: stored.schedule }),
  };
}

/** Names the source that disables the channel. */
export type ChannelDecision =
  { readonly allowed: true } | { readonly allowed: false; readonly source: OverrideSource | 'subscriberGlobal' };

/** Critical workflows always pass. The global preference is checked before the workflow's. */
export function channelDecision(
  channel: Channel,
  asked: PreferenceSources & { readonly critical: boolean; readonly global?: ChannelPreference | undefined },
): ChannelDecision {
  if (asked.critical) return { allowed: true };
  if (asked.global?.enabled === false || asked.global?.channels?.[channel] === false) {
    return { allowed: false, source: 'subscriberGlobal' };
  }
  const { enabled, channels, overrides } = effectivePreference(asked);
  if (enabled && channels[channel] !== false) return { allowed: true };
  const last = overrides.find((entry) => entry.channel === channel);
  const source = enabled && last !== undefined ? last.source : 'subscriber';
  return { allowed: false, source };
}

interface Shown {
  readonly enabled: boolean;
  readonly channels: Partial<Record<Channel, boolean>>;
}

/**
 * The channels that a change switched. What is set again as it was is none.
 * @param before and after, with channels that are on or off where nobody has set them
 */
export function switchesBetween(before: Shown, after: Shown): { channel: Channel; enabled: boolean }[] {
  const isOn = ({ enabled, channels }: Shown, channel: Channel): boolean => enabled && channels[channel] !== false;
  return CHANNELS.flatMap((channel) => {
    const isKnown = before.channels[channel] !== undefined || after.channels[channel] !== undefined;
    const enabled = isOn(after, channel);
    return isKnown && isOn(before, channel) !== enabled ? [{ channel, enabled }] : [];
  });
}
