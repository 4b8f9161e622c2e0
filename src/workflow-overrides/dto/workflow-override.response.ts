import { ApiProperty } from '@nestjs/swagger';
import type { ChannelSwitches } from '../../workflows/index.js';
import type { EffectiveOverride } from '../effective-override.js';
import type { WorkflowOverride } from '../workflow-override.schema.js';

/** A workflow override (interface 2.9) with the values that result from it and its workflow. */
export class WorkflowOverrideResponse {
  /** @example 64f0c1a2b3c4d5e6f7a8b9c0 */
  _id: string;
  /** Equal to `_id`. */
  id: string;
  _workflowId: string;
  _tenantId: string;
  /** Whether the workflow can be triggered for the tenant. */
  active: boolean;
  /** Channels that the workflow uses for the tenant. */
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'boolean' },
    example: { email: false, sms: true, in_app: true, chat: true, push: true },
  })
  preferenceSettings: ChannelSwitches;
  _environmentId: string;
  _organizationId: string;
  deleted: boolean;
  createdAt: Date;
  updatedAt: Date;
  __v: number;

  static from(row: WorkflowOverride, { active, preferenceSettings }: EffectiveOverride): WorkflowOverrideResponse {
    return Object.assign(new WorkflowOverrideResponse(), {
      _id: row._id.toHexString(),
      id: row._id.toHexString(),
      _workflowId: row._workflowId.toHexString(),
      _tenantId: row._tenantId.toHexString(),
      active,
      preferenceSettings,
      _environmentId: row._environmentId.toHexString(),
      _organizationId: row._organizationId.toHexString(),
      deleted: row.deleted,
      createdAt: row.createdAt,
      updatedAt: row.updatedAt,
      __v: row.__v,
    });
  }
}
