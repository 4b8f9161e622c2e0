import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { DeletableRecordResponse, shower, shown } from '#libs/http-kit';
import { deletionOf } from '#libs/persistence';
import { type TriggerVariables, VARIABLE_TYPES } from '#libs/templates';
import { NotificationGroupResponse } from '../notification-groups/index.js';
import { PROFILE_FIELDS } from '../../audience/subscribers/index.js';
import { HasOptions, optionsOf, type WithOptions } from './options.js';
import type { ChannelSwitches, Workflow } from './workflow.schema.js';
import type { WorkflowIntegrationStatus } from './integration-status.js';
import { showSteps, showStepSummaries, StepResponse, StepSummaryResponse } from './step.response.js';

/** A variable of the payload. */
export class TriggerVariableResponse {
  /**
   * Path in the payload, with dots.
   * @example order.number
   */
  name: string;
  /** Type of the value. */
  @ApiPropertyOptional({ enum: VARIABLE_TYPES, example: 'String' })
  type?: string;
}

/** A field of the subscriber that the channels of the workflow need. */
export class SubscriberVariableResponse {
  /** Name of the field. */
  @ApiProperty({ enum: ['phone', 'email'], example: 'email' })
  name: 'phone' | 'email';
}

/** A value that templates use in addition to the payload. */
export class ReservedVariableResponse {
  /** Kind of record that the trigger must name. */
  @ApiProperty({ enum: ['tenant', 'actor'] })
  type: 'tenant' | 'actor';
  /** Fields of the record that the trigger must provide. */
  @ApiProperty({ type: () => [TriggerVariableResponse] })
  variables: TriggerVariableResponse[];
}

/** The switches of the five channels. */
export class ChannelSwitchesResponse {
  /** Whether email is used. @example true */
  email: boolean;
  /** Whether SMS is used. @example true */
  sms: boolean;
  /** Whether in-app messages are used. @example true */
  in_app: boolean;
  /** Whether chat is used. @example true */
  chat: boolean;
  /** Whether push is used. @example true */
  push: boolean;
}

/** How a workflow is triggered. */
export class WorkflowTriggerResponse {
  /** Kind of trigger. */
  @ApiProperty({ enum: ['event'] })
  type: 'event';
  /**
   * Trigger identifier: the `name` of events.
   * @example order-shipped
   */
  identifier: string;
  /** Variables that the templates read from the payload. */
  @ApiProperty({ type: () => [TriggerVariableResponse] })
  variables: TriggerVariables['variables'];
  /** Variables that the templates read from a tenant or an actor. */
  @ApiProperty({ type: () => [ReservedVariableResponse] })
  reservedVariables: TriggerVariables['reservedVariables'];
  /** Fields that the subscriber needs for the channels of the workflow. */
  @ApiProperty({ type: () => [SubscriberVariableResponse] })
  subscriberVariables: TriggerVariables['subscriberVariables'];
}

export function showWorkflowTrigger(identifier: string, variables: TriggerVariables): WorkflowTriggerResponse {
  return shown(WorkflowTriggerResponse, { type: 'event', identifier, ...variables });
}

/** Whether a channel can deliver. */
export class ChannelStatusResponse {
  /** Whether the channel has an active integration. */
  hasActiveIntegrations: boolean;
  /** For email and sms only: whether the channel has a primary integration. */
  hasPrimaryIntegrations?: boolean;
}

/** State of the channels in the environment. */
export class ChannelStatusesResponse {
  @ApiProperty({ type: () => ChannelStatusResponse })
  in_app: ChannelStatusResponse;
  @ApiProperty({ type: () => ChannelStatusResponse })
  email: ChannelStatusResponse;
  @ApiProperty({ type: () => ChannelStatusResponse })
  sms: ChannelStatusResponse;
  @ApiProperty({ type: () => ChannelStatusResponse })
  chat: ChannelStatusResponse;
  @ApiProperty({ type: () => ChannelStatusResponse })
  push: ChannelStatusResponse;
}

/** Whether the integrations that the steps of a workflow need exist. */
export class WorkflowIntegrationStatusResponse {
  /** False if a channel of the steps has no active integration. */
  hasActiveIntegrations: boolean;
  /** Only present, and then false, if a channel of the steps lacks a required primary integration. */
  hasPrimaryIntegrations?: boolean;
  /** State of each channel in the environment. */
  @ApiProperty({ type: () => ChannelStatusesResponse })
  channels: ChannelStatusesResponse;
}

/** Records of other resources that a workflow response is built from. */
export interface RelatedResources {
  readonly notificationGroup?: NotificationGroupResponse;
  readonly workflowIntegrationStatus: WorkflowIntegrationStatus;
}

/** What every view of a workflow shows. */
@HasOptions(({ api, description }) => ApiPropertyOptional({ ...api, description }))
abstract class WorkflowFields extends (DeletableRecordResponse as WithOptions<typeof DeletableRecordResponse>) {
  /** Display name. @example "Order shipped" */
  name: string;
  /** Whether the workflow can be triggered. */
  active: boolean;
  /** Whether the workflow is a draft. */
  draft: boolean;
  /** Subscribers cannot switch off a critical workflow. */
  critical: boolean;
  /** Always `REGULAR`; kept for compatibility. */
  @ApiProperty({ enum: ['REGULAR'] })
  type: 'REGULAR';
  /** Constant; kept for compatibility. */
  @ApiProperty({ enum: ['novu-cloud'] })
  origin: 'novu-cloud';
  /** Always false; kept for compatibility. */
  isBlueprint: boolean;
  /** Id of the blueprint that the workflow was created from. */
  blueprintId?: string;
  /** Channels that the workflow uses unless a subscriber's preference says otherwise. */
  @ApiProperty({ type: () => ChannelSwitchesResponse })
  preferenceSettings: ChannelSwitches;
  /** Labels for grouping workflows. @example ["orders"] */
  tags: string[];
  /** The trigger; always one entry. */
  @ApiProperty({ type: () => [WorkflowTriggerResponse] })
  triggers: WorkflowTriggerResponse[];
  /** The notification group. */
  @ApiPropertyOptional({ type: () => NotificationGroupResponse })
  notificationGroup?: NotificationGroupResponse;
  /** Whether the channels of the steps have active integrations. */
  @ApiProperty({ type: () => WorkflowIntegrationStatusResponse })
  workflowIntegrationStatus: WorkflowIntegrationStatus;
  /** Id of the notification group. */
  _notificationGroupId: string;
  /** Id of the workflow in another environment that this one was copied from. */
  _parentId?: string;
  _creatorId: string;
  /** Time of deletion; absent unless deleted. */
  deletedAt?: Date;
  /** Id of the API key that deleted it; absent unless deleted. */
  deletedBy?: string;
  /** Number of changes. */
  override __v: number;
}

export class WorkflowResponse extends WorkflowFields {
  /** The steps, in order. */
  @ApiProperty({ type: () => [StepResponse] })
  steps: StepResponse[];
}

export const showWorkflow = shower(WorkflowResponse, (row: Workflow, related: RelatedResources) => ({
  ...ownFields(row),
  steps: showSteps(row.steps, row),
  ...related,
}));

/** A workflow as lists show it, with light steps. */
export class WorkflowSummaryResponse extends WorkflowFields {
  /** The steps, in order, without content and variants. */
  @ApiProperty({ type: () => [StepSummaryResponse] })
  steps: StepSummaryResponse[];
}

export const showWorkflowSummary = shower(WorkflowSummaryResponse, (row: Workflow, related: RelatedResources) => ({
  ...ownFields(row),
  steps: showStepSummaries(row.steps),
  ...related,
}));

// Inferred, so that callers check every field.
function ownFields(row: Workflow) {
  const { name, active, draft, critical, preferenceSettings, tags, blueprintId } = row;
  return {
    name,
    ...optionsOf(row),
    active,
    draft,
    critical,
    type: 'REGULAR' as const,
    origin: 'novu-cloud' as const,
    isBlueprint: false,
    blueprintId,
    preferenceSettings,
    tags,
    triggers: [showWorkflowTrigger(row.identifier, row.triggerVariables)],
    _notificationGroupId: row._notificationGroupId.toHexString(),
    _parentId: row._parentId?.toHexString(),
    _creatorId: row._creatorId.toHexString(),
    ...deletionOf(row),
  };
}

const SUBSCRIBER_VARIABLES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(PROFILE_FIELDS.map(({ name, kind }) => [name, kind === 'freeForm' ? 'object' : 'string'])),
  subscriberId: 'string',
  isOnline: 'boolean',
  lastOnlineAt: 'date',
};

/** What every template can use besides the payload, for editors. */
const SYSTEM_VARIABLES_BY_ROOT = {
  subscriber: SUBSCRIBER_VARIABLES,
  actor: SUBSCRIBER_VARIABLES,
  step: { digest: 'boolean', events: 'array', total_count: 'number' },
  branding: { logo: 'string', color: 'string' },
  tenant: { identifier: 'string', name: 'string', data: 'object' },
};

/** Variables that every template can use in addition to the payload. */
export class WorkflowVariablesResponse {
  /** Always empty; kept for compatibility. */
  @ApiProperty({ type: 'object', additionalProperties: true, example: {} })
  translations: Record<string, never> = {};

  /** Fields with their types, by object. */
  @ApiProperty({ type: 'object', additionalProperties: true, example: SYSTEM_VARIABLES_BY_ROOT })
  system: typeof SYSTEM_VARIABLES_BY_ROOT = SYSTEM_VARIABLES_BY_ROOT;
}
