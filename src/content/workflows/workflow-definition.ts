import { CHANNELS } from '#libs/channels';
import { optionsOf, sentOptions, type WorkflowOptions } from './options.js';
import { showPortableSteps, type NamesById } from './portable-steps.js';
import { completeSwitches } from './workflow-changes.js';
import type { WorkflowDefinitionDto } from './workflow-definition.dto.js';
import type { ChannelSwitches, Workflow } from './workflow.schema.js';

export type DefinedFields = Pick<
  Workflow,
  'name' | 'identifier' | 'active' | 'critical' | 'tags' | 'preferenceSettings' | 'steps'
> &
  WorkflowOptions;

export function definedFields(dto: WorkflowDefinitionDto): Omit<DefinedFields, 'steps'> {
  return {
    name: dto.name,
    identifier: dto.identifier,
    ...optionsOf(sentOptions(dto) as WorkflowOptions),
    active: dto.active ?? false,
    critical: dto.critical ?? false,
    tags: dto.tags ?? [],
    preferenceSettings: completeSwitches(dto.preferenceSettings),
  };
}

/** Without defaults, in a fixed order of fields. @param group name of the group */
export function definitionOf(fields: DefinedFields, group: string, names: NamesById): WorkflowDefinitionDto {
  const { identifier, name, active, critical, tags, preferenceSettings } = fields;
  const { description, data, ...options } = optionsOf(fields);
  const switchedOff = offIn(preferenceSettings);
  return {
    identifier,
    name,
    ...(description !== undefined && { description }),
    notificationGroup: group,
    active,
    ...(critical && { critical }),
    ...options,
    ...(tags.length > 0 && { tags }),
    ...(Object.keys(switchedOff).length > 0 && { preferenceSettings: switchedOff }),
    ...(data !== undefined && { data }),
    steps: showPortableSteps(fields.steps, names),
  };
}

function offIn(switches: ChannelSwitches): Partial<ChannelSwitches> {
  return Object.fromEntries(CHANNELS.filter((channel) => !switches[channel]).map((channel) => [channel, false]));
}
