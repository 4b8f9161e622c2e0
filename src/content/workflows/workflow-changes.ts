import { CHANNELS } from '#libs/channels';
import { partialUpdate, type PartialUpdate } from '#libs/persistence';
import { readTracking } from '../../platform/recipient-links/index.js';
import type { PreferenceSettingsDto } from './workflow.dto.js';
import type { UpdateNotificationTemplateDto } from './workflow.dto.js';
import type { ChannelSwitches } from './workflow.schema.js';

/** Absent switches are on. */
export function completeSwitches(given: PreferenceSettingsDto | null | undefined): ChannelSwitches {
  return Object.fromEntries(CHANNELS.map((channel) => [channel, given?.[channel] ?? true])) as ChannelSwitches;
}

/** Without steps; channel switches are merged one by one. */
export function changesOf(dto: UpdateNotificationTemplateDto): PartialUpdate {
  const { name, notificationGroupId, identifier, description, tags, critical, severity, missingAddress, data } = dto;
  const { unsubscribe, tracking, outsideSchedule, sendWindow } = dto;
  const change = partialUpdate(
    {
      name: name === '' ? undefined : name,
      _notificationGroupId: notificationGroupId,
      identifier: identifier === '' ? undefined : identifier,
      description,
      tags: tags === null ? [] : tags,
      critical: critical === null ? false : critical,
      severity,
      unsubscribe,
      tracking: tracking ? readTracking(tracking) : tracking,
      outsideSchedule,
      sendWindow,
      missingAddress,
      data,
    },
    ['name', '_notificationGroupId', 'identifier'],
  );
  const switches = switchesOf(dto.preferenceSettings);
  const $set = { ...change.$set, ...switches };
  return { ...change, ...(Object.keys($set).length > 0 && { $set }) };
}

function switchesOf(given: PreferenceSettingsDto | null | undefined): Record<string, unknown> {
  if (given === undefined) return {};
  if (given === null) return { preferenceSettings: completeSwitches(null) };
  return Object.fromEntries(
    CHANNELS.filter((channel) => given[channel] !== undefined).map((channel) => [
      `preferenceSettings.${channel}`,
      given[channel] ?? true,
    ]),
  );
}
