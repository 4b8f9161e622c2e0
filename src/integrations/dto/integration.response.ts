import { ApiProperty } from '@nestjs/swagger';
import { CHANNELS } from '#libs/channels';
import type { ConditionGroup } from '#libs/conditions';
import type { IntegrationCredentials } from '../credentials.js';
import type { IntegrationView } from '../integration-views.js';
import { CONDITIONS_SCHEMA, CREDENTIALS_SCHEMA } from './integration.openapi.js';

/** An integration (interface 2.1). */
export class IntegrationResponse {
  /** @example 64f0c1a2b3c4d5e6f7a8b9c0 */
  _id: string;
  /** Equal to `_id`. */
  id: string;
  _environmentId: string;
  _organizationId: string;
  /** @example Custom SMTP */
  name: string;
  /** @example custom-smtp-V1StGXR8Z5 */
  identifier: string;
  /** @example nodemailer */
  providerId: string;
  /** @example email */
  @ApiProperty({ enum: CHANNELS })
  channel: string;
  /** As they were sent, with their types. */
  @ApiProperty(CREDENTIALS_SCHEMA)
  credentials: IntegrationCredentials;
  active: boolean;
  /** Whether it is tried first; email and sms only. */
  primary: boolean;
  /** The higher, the sooner it is tried; 0 where it is inactive or the channel has no order. */
  priority: number;
  @ApiProperty(CONDITIONS_SCHEMA)
  conditions: ConditionGroup[];
  deleted: boolean;
  createdAt: Date;
  updatedAt: Date;
  __v: number;

  static from({ row, credentials, primary, priority }: IntegrationView): IntegrationResponse {
    return Object.assign(new IntegrationResponse(), {
      _id: row._id.toHexString(),
      id: row._id.toHexString(),
      _environmentId: row._environmentId.toHexString(),
      _organizationId: row._organizationId.toHexString(),
      name: row.name,
      identifier: row.identifier,
      providerId: row.providerId,
      channel: row.channel,
      credentials,
      active: row.active,
      primary,
      priority,
      conditions: row.conditions,
      deleted: row.deleted,
      createdAt: row.createdAt,
      updatedAt: row.updatedAt,
      __v: row.__v,
    });
  }
}
