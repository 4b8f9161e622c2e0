import { CHANNELS } from '#libs/channels';
import { partialUpdate, type PartialUpdate, toObjectId } from '#libs/persistence';
import { sentOptions } from './options.js';
import type { PreferenceSettingsDto } from './workflow.dto.js';
import type { UpdateNotificationTemplateDto } from './workflow.dto.js';
import type { ChannelSwitches, Workflow } from './workflow.schema.js';

/** Absent switches are on. */
export function completeSwitches(given: PreferenceSettingsDto | null | undefined): ChannelSwitches {
  return Object.fromEntries(CHANNELS.map((channel) => [channel, given?.[channel] ?? true])) as ChannelSwitches;
}

/** Without steps; channel switches are merged one by one. */
export function changesOf(dto: UpdateNotificationTemplateDto): PartialUpdate {
  const { name, notificationGroupId, identifier, tags, critical } = dto;
  const change = partialUpdate(
    {
      name: name === '' ? undefined : name,
      _notificationGroupId: notificationGroupId && toObjectId(notificationGroupId),
      identifier: identifier === '' ? undefined : identifier,
      tags: tags === null ? [] : tags,
      critical: critical === null ? false : critical,
      ...sentOptions(dto),
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

/** The row after a change, which is not written. */
export function changedRow(row: Workflow, { $set = {}, $unset = {} }: PartialUpdate): Workflow {
  const after: Record<string, unknown> = { ...row, __v: row.__v + 1 };
  for (const [path, value] of Object.entries($set)) {
    const [name = '', member] = path.split('.');
    after[name] = member === undefined ? value : { ...(after[name] as object), [member]: value };
  }
  for (const name of Object.keys($unset)) delete after[name];
  return after as unknown as Workflow;
}
