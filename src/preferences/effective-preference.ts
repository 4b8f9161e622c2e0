import { CHANNELS, type Channel } from '#libs/channels';
import { DETAIL, type Detail } from '../execution-details/index.js';

/** On and off by channel; a channel that is not named follows the source before. */
export type ChannelSwitches = Partial<Record<Channel, boolean>>;

/** A stored preference. What is absent is on. */
export interface ChannelPreference {
  readonly enabled?: boolean;
  readonly channels?: ChannelSwitches;
}

export const OVERRIDE_SOURCES = ['template', 'workflowOverride', 'subscriber'] as const;
/** The source whose setting of a channel applies. */
export type OverrideSource = (typeof OVERRIDE_SOURCES)[number];

export interface PreferenceSources {
  /** Channels that have an active step in the workflow. Others are not shown. */
  readonly workflowChannels: Iterable<string>;
  /** `preferenceSettings` of the workflow. */
  readonly workflow?: ChannelSwitches | undefined;
  /** `preferenceSettings` of the workflow's override for the tenant of the event. */
  readonly override?: ChannelSwitches | undefined;
  /** The preference of the subscriber for this workflow. */
  readonly subscriber?: ChannelPreference | undefined;
}

/** The result for one subscriber and one workflow. */
export interface EffectivePreference {
  readonly enabled: boolean;
  readonly channels: ChannelSwitches;
  /** For each channel that any source sets: the last source that sets it. */
  readonly overrides: readonly { readonly channel: Channel; readonly source: OverrideSource }[];
}

/** Later ones win: all on, then the workflow's settings, then the tenant's override, then the subscriber. */
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

/** A subscriber's global preference with every channel named; what is not set is on. */
export function globalPreference(stored: ChannelPreference | undefined): {
  enabled: boolean;
  channels: Record<Channel, boolean>;
} {
  const channels = Object.fromEntries(CHANNELS.map((channel) => [channel, stored?.channels?.[channel] !== false]));
  return { enabled: stored?.enabled !== false, channels: channels as Record<Channel, boolean> };
}

/** Whether a channel may be used, and if not, the source that forbids it and the execution detail that says so. */
export type ChannelDecision =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly detail: Detail; readonly source: OverrideSource | 'subscriberGlobal' };

const DETAIL_OF: Readonly<Record<OverrideSource, Detail>> = {
  template: DETAIL.filteredByWorkflowSettings,
  workflowOverride: DETAIL.filteredByWorkflowOverride,
  subscriber: DETAIL.filteredByWorkflowPreference,
};

/**
 * Decides about one channel step. A critical workflow is always let through; the subscriber's global preference comes
 * before the one for the workflow.
 */
export function channelDecision(
  channel: Channel,
  asked: PreferenceSources & { readonly critical: boolean; readonly global?: ChannelPreference | undefined },
): ChannelDecision {
  if (asked.critical) return { allowed: true };
  const global = globalPreference(asked.global);
  if (!global.enabled || !global.channels[channel]) {
    return { allowed: false, detail: DETAIL.filteredByGlobalPreference, source: 'subscriberGlobal' };
  }
  const { enabled, channels, overrides } = effectivePreference(asked);
  if (enabled && channels[channel] !== false) return { allowed: true };
  const last = overrides.find((entry) => entry.channel === channel);
  const source = enabled && last !== undefined ? last.source : 'subscriber';
  return { allowed: false, detail: DETAIL_OF[source], source };
}
