import { ApiProperty } from '@nestjs/swagger';
import { DeletableRecordResponse, shower } from '#libs/http-kit';
import { deletionOf } from '#libs/persistence';
import { type ChannelSwitches, ChannelSwitchesResponse } from '../workflows/index.js';
import type { EffectiveOverride } from './effective-override.js';
import type { WorkflowOverride } from './workflow-override.schema.js';

/** A workflow override with its effective values. */
export class WorkflowOverrideResponse extends DeletableRecordResponse {
  _workflowId: string;
  _tenantId: string;
  /** Whether the workflow can be triggered for the tenant. */
  active: boolean;
  /** Channels that the workflow uses for the tenant. */
  @ApiProperty({ type: () => ChannelSwitchesResponse })
  preferenceSettings: ChannelSwitches;
  /** Time of deletion; absent unless deleted. */
  deletedAt?: Date;
  /** Id of the API key that deleted it; absent unless deleted. */
  deletedBy?: string;
}

export const showWorkflowOverride = shower(
  WorkflowOverrideResponse,
  (row: WorkflowOverride, { active, preferenceSettings }: EffectiveOverride) => ({
    _workflowId: row._workflowId.toHexString(),
    _tenantId: row._tenantId.toHexString(),
    active,
    preferenceSettings,
    ...deletionOf(row),
  }),
);
