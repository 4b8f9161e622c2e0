import { ApiProperty } from '@nestjs/swagger';
import { CHANNELS } from '#libs/channels';
import type { ConditionGroup } from '#libs/conditions';
import { DeletableRecordResponse, shower } from '#libs/http-kit';
import { deletionOf } from '#libs/persistence';
import type { IntegrationCredentials } from './credentials.js';
import type { Integration } from './integration.schema.js';
import type { IntegrationView } from './integration-views.js';
import { CONDITIONS_SCHEMA, CREDENTIALS_SCHEMA } from './integration.dto.js';

/** An integration. */
export class IntegrationResponse extends DeletableRecordResponse {
  /**
   * Display name.
   * @example Custom SMTP
   */
  name: string;
  /**
   * Your own identifier of the integration.
   * @example custom-smtp-V1StGXR8Z5
   */
  identifier: string;
  /**
   * Provider that delivers.
   * @example nodemailer
   */
  providerId: string;
  /**
   * Channel that the provider delivers on.
   * @example email
   */
  @ApiProperty({ enum: CHANNELS })
  channel: string;
  /**
   * Credentials as they were sent, for API keys with the scope `admin`. For others, and for all where MASK_CREDENTIALS is
   * set, secrets are `********`; a masked value that is sent back changes nothing.
   */
  @ApiProperty(CREDENTIALS_SCHEMA)
  credentials: IntegrationCredentials;
  /** Why the stored credentials cannot be read. `credentials` is then empty, and nothing is sent with them. */
  credentialsError?: string;
  /** Whether it is used for delivery. */
  active: boolean;
  /** Whether it is tried first. Email and SMS only. */
  primary: boolean;
  /** Integrations with a higher priority are tried first; 0 where it is inactive or the channel has no order. */
  priority: number;
  /** Present if messages that the provider may have accepted are sent again. */
  retryUncertain?: boolean;
  /** Conditions on the tenant of the trigger. Without conditions, the integration is used for every tenant. */
  @ApiProperty(CONDITIONS_SCHEMA)
  conditions: ConditionGroup[];
  /** When it was deleted; absent while it exists. */
  deletedAt?: Date;
  /** Id of the API key that deleted it; absent while it exists. */
  deletedBy?: string;
}

export const showIntegration = shower(
  IntegrationResponse,
  (row: Integration, { credentials, credentialsError, primary, priority }: IntegrationView) => ({
    name: row.name,
    identifier: row.identifier,
    providerId: row.providerId,
    channel: row.channel,
    credentials,
    ...(credentialsError !== undefined && { credentialsError }),
    active: row.active,
    primary,
    priority,
    ...(row.retryUncertain === true && { retryUncertain: true }),
    conditions: row.conditions,
    ...deletionOf(row),
  }),
);

/** Whether in-app messages are delivered. */
export class InAppStatusResponse {
  /**
   * Whether in-app messages are delivered.
   * @example true
   */
  active: boolean;
}
