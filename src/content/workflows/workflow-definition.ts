import { CHANNELS } from '#libs/channels';
import { withoutNullish } from '#libs/persistence';
import { readTracking } from '../../platform/recipient-links/index.js';
import { showPortableSteps, type NamesById } from './portable-steps.js';
import { completeSwitches } from './workflow-changes.js';
import type { WorkflowDefinitionDto } from './workflow-definition.dto.js';
import type { ChannelSwitches, Workflow } from './workflow.schema.js';

export type DefinedFields = Pick<
  Workflow,
  'name' | 'identifier' | 'active' | 'critical' | 'tags' | 'preferenceSettings' | 'steps'
> &
  Partial<
    Pick<
      Workflow,
      | 'description'
      | 'severity'
      | 'missingAddress'
      | 'unsubscribe'
      | 'tracking'
      | 'outsideSchedule'
      | 'sendWindow'
      | 'data'
    >
  >;

export const OPTIONAL_FIELDS = [
  'description',
  'severity',
  'unsubscribe',
  'tracking',
  'outsideSchedule',
  'sendWindow',
  'missingAddress',
  'data',
] as const satisfies readonly (keyof DefinedFields)[];

export function definedFields(dto: WorkflowDefinitionDto): Omit<DefinedFields, 'steps'> {
  const { name, identifier, description, severity, missingAddress, unsubscribe, outsideSchedule, sendWindow, data } =
    dto;
  const optional = withoutNullish({
    description,
    severity,
    missingAddress,
    unsubscribe,
    tracking: dto.tracking && readTracking(dto.tracking),
    outsideSchedule,
    sendWindow,
    data,
  });
  return {
    name,
    identifier,
    ...(optional as Pick<DefinedFields, (typeof OPTIONAL_FIELDS)[number]>),
    active: dto.active ?? false,
    critical: dto.critical ?? false,
    tags: dto.tags ?? [],
    preferenceSettings: completeSwitches(dto.preferenceSettings),
  };
}

/** Without defaults, in a fixed order of fields. @param group name of the group */
export function definitionOf(fields: DefinedFields, group: string, names: NamesById): WorkflowDefinitionDto {
  const { identifier, name, description, active, critical, severity, missingAddress, tags, preferenceSettings, data } =
    fields;
  const { unsubscribe, tracking, outsideSchedule, sendWindow } = fields;
  const switchedOff = offIn(preferenceSettings);
  return {
    identifier,
    name,
    ...(description !== undefined && { description }),
    notificationGroup: group,
    active,
    ...(critical && { critical }),
    ...(severity !== undefined && { severity }),
    ...(unsubscribe !== undefined && { unsubscribe }),
    ...(tracking && { tracking }),
    ...(outsideSchedule !== undefined && { outsideSchedule }),
    ...(sendWindow !== undefined && { sendWindow }),
    ...(missingAddress !== undefined && { missingAddress }),
    ...(tags.length > 0 && { tags }),
    ...(Object.keys(switchedOff).length > 0 && { preferenceSettings: switchedOff }),
    ...(data !== undefined && { data }),
    steps: showPortableSteps(fields.steps, names),
  };
}

function offIn(switches: ChannelSwitches): Partial<ChannelSwitches> {
  return Object.fromEntries(CHANNELS.filter((channel) => !switches[channel]).map((channel) => [channel, false]));
}
