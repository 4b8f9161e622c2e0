import { type Channel, CHANNELS } from '#libs/channels';

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
