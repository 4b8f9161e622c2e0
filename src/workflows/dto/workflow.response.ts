import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { TriggerVariables } from '#libs/templates';
import { NotificationGroupResponse } from '../../notification-groups/index.js';
import type { ChannelSwitches, Workflow } from '../workflow.schema.js';
import type { WorkflowIntegrationStatus } from '../integration-status.js';
import { StepResponse, StepSummaryResponse } from './step.response.js';

const FREE_OBJECT = { type: 'object' as const, additionalProperties: true };

/** What callers of a workflow name and bring. */
export class WorkflowTriggerResponse {
  @ApiProperty({ enum: ['event'] })
  type: 'event';
  /** @example order-shipped */
  identifier: string;
  /** What the payload has to bring, found in the templates: `{name, type}`. */
  @ApiProperty({ type: 'array', items: FREE_OBJECT, example: [{ name: 'order.number', type: 'String' }] })
  variables: TriggerVariables['variables'];
  /** Contexts that the templates use: `tenant`, `actor`. */
  @ApiProperty({ type: 'array', items: FREE_OBJECT })
  reservedVariables: TriggerVariables['reservedVariables'];
  /** What the subscriber has to have: `phone`, `email`. */
  @ApiProperty({ type: 'array', items: FREE_OBJECT, example: [{ name: 'email' }] })
  subscriberVariables: TriggerVariables['subscriberVariables'];

  static of(identifier: string, variables: TriggerVariables): WorkflowTriggerResponse {
    return Object.assign(new WorkflowTriggerResponse(), { type: 'event' as const, identifier, ...variables });
  }
}

/** What a workflow answer shows of other resources. */
export interface WorkflowSurroundings {
  readonly notificationGroup?: NotificationGroupResponse;
  readonly workflowIntegrationStatus: WorkflowIntegrationStatus;
}

/** What every view of a workflow shows (interface 2.6). */
abstract class WorkflowFields {
  /** @example 64f0c1a2b3c4d5e6f7a8b9c0 */
  _id: string;
  /** Equal to `_id`. */
  id: string;
  /** @example "Order shipped" */
  name: string;
  /** @example Tells the customer that the parcel is on its way */
  description?: string;
  active: boolean;
  draft: boolean;
  critical: boolean;
  @ApiProperty({ enum: ['REGULAR'] })
  type: 'REGULAR';
  @ApiProperty({ enum: ['novu-cloud'] })
  origin: 'novu-cloud';
  isBlueprint: boolean;
  blueprintId?: string;
  /** Channels that it uses unless a subscriber decides otherwise. */
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'boolean' },
    example: { email: true, sms: true, in_app: true, chat: true, push: true },
  })
  preferenceSettings: ChannelSwitches;
  /** @example ["orders"] */
  tags: string[];
  @ApiProperty({ type: () => [WorkflowTriggerResponse] })
  triggers: WorkflowTriggerResponse[];
  /** Free-form data as it was sent. */
  @ApiPropertyOptional({ ...FREE_OBJECT, example: { team: 'shop' } })
  data?: Record<string, unknown>;
  @ApiPropertyOptional({ type: () => NotificationGroupResponse })
  notificationGroup?: NotificationGroupResponse;
  /** Which of the channels of its steps have an active integration. */
  @ApiProperty(FREE_OBJECT)
  workflowIntegrationStatus: WorkflowIntegrationStatus;
  _notificationGroupId: string;
  _creatorId: string;
  _environmentId: string;
  _organizationId: string;
  deleted: boolean;
  createdAt: Date;
  updatedAt: Date;
  /** How often it was changed. */
  __v: number;
}

/** A workflow. */
export class WorkflowResponse extends WorkflowFields {
  @ApiProperty({ type: () => [StepResponse] })
  steps: StepResponse[];

  static from(row: Workflow, surroundings: WorkflowSurroundings): WorkflowResponse {
    const steps = StepResponse.listOf(row.steps, row);
    return Object.assign(new WorkflowResponse(), ownFields(row), { steps }, surroundings);
  }
}

/** A workflow as lists show it, with light steps. */
export class WorkflowSummaryResponse extends WorkflowFields {
  @ApiProperty({ type: () => [StepSummaryResponse] })
  steps: StepSummaryResponse[];

  static from(row: Workflow, surroundings: WorkflowSurroundings): WorkflowSummaryResponse {
    const steps = StepSummaryResponse.listOf(row.steps);
    return Object.assign(new WorkflowSummaryResponse(), ownFields(row), { steps }, surroundings);
  }
}

type OwnFields = Omit<WorkflowFields, keyof WorkflowSurroundings>;

function ownFields(row: Workflow): OwnFields {
  const { name, description, active, draft, critical, preferenceSettings, tags, blueprintId, data } = row;
  return {
    _id: row._id.toHexString(),
    id: row._id.toHexString(),
    name,
    ...(description !== undefined && { description }),
    active,
    draft,
    critical,
    type: 'REGULAR',
    origin: 'novu-cloud',
    isBlueprint: false,
    ...(blueprintId !== undefined && { blueprintId }),
    preferenceSettings,
    tags,
    triggers: [WorkflowTriggerResponse.of(row.identifier, row.triggerVariables)],
    ...(data !== undefined && { data }),
    _notificationGroupId: row._notificationGroupId.toHexString(),
    _creatorId: row._creatorId.toHexString(),
    _environmentId: row._environmentId.toHexString(),
    _organizationId: row._organizationId.toHexString(),
    deleted: row.deleted,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    __v: row.__v,
  };
}
