import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { CHANNELS } from '#libs/channels';
import type { ConditionGroup } from '#libs/conditions';
import { apiOf, DeletableRecordResponse, shower, shown } from '#libs/http-kit';
import { deletionOf } from '#libs/persistence';
import { type Tracking, tracking } from '../../platform/recipient-links/index.js';
import type { IntegrationCredentials } from './credentials.js';
import type { Integration, Outage } from './integration.schema.js';
import type { IntegrationView } from './integration-views.js';
import { CONDITIONS_SCHEMA, CREDENTIALS_SCHEMA } from './integration.dto.js';

/** What deliveries know of a provider that does not answer. */
export class OutageResponse {
  /** Since when. */
  since: Date;
  /** When one message tries whether it is up again. */
  until: Date;
  /** How many messages have tried. @example 2 */
  probes: number;
  /** Stable code of the failure. @example unavailable */
  code: string;
  /** Answer to the last message before. @example The provider answered 503. */
  error: string;
}

export class IntegrationResponse extends DeletableRecordResponse {
  /**
   * Display name.
   * @example Custom SMTP
   */
  name: string;
  /**
   * Your identifier of the integration.
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
   * Credentials as they were sent, for API keys with the scope `admin`. For other keys, and for all keys if
   * MASK_CREDENTIALS is set, secrets are shown as `********`; sending a masked value back changes nothing.
   */
  @ApiProperty(CREDENTIALS_SCHEMA)
  credentials: IntegrationCredentials;
  /** Why the stored credentials cannot be read. `credentials` is then empty, and the integration is not used. */
  credentialsError?: string;
  /** Whether the integration is used for delivery. */
  active: boolean;
  /** Whether the integration is tried first. Email and SMS only. */
  primary: boolean;
  /**
   * Integrations with a higher priority are tried first; 0 if the integration is inactive or the channel has no order.
   */
  priority: number;
  /** Present if messages are sent again although the provider may have accepted them. */
  retryUncertain?: boolean;
  /** Whether opens and clicks of mails are followed; absent unless set. */
  @ApiPropertyOptional(apiOf(tracking))
  tracking?: Tracking;
  /** Present if the integration has a limit: how many messages it sends in a second at most. */
  messagesPerSecond?: number;
  /**
   * Present if Herald sends its own mails through it: invitations and links for new passwords that concern this environment alone. Only the
   * scope `admin` changes such an integration.
   */
  sendsSystemMail?: boolean;
  /** Present while messages wait because the provider has limited the account (429): until when. */
  quietUntil?: Date;
  /** Present while the provider is down: messages go through the next integration, or wait. */
  outage?: OutageResponse;
  /** Conditions on the tenant of the trigger. Without conditions, the integration is used for every tenant. */
  @ApiProperty(CONDITIONS_SCHEMA)
  conditions: ConditionGroup[];
  /** Time of deletion; absent unless deleted. */
  deletedAt?: Date;
  /** Id of the API key that deleted it; absent unless deleted. */
  deletedBy?: string;
}

const showOutage = ({ since, until, probes, code, error }: Outage): OutageResponse =>
  shown(OutageResponse, { since, until, probes, code, error });

export const showIntegration = shower(
  IntegrationResponse,
  (row: Integration, { credentials, credentialsError, primary, priority }: IntegrationView) => ({
    name: row.name,
    identifier: row.identifier,
    providerId: row.providerId,
    channel: row.channel,
    credentials,
    credentialsError,
    active: row.active,
    primary,
    priority,
    ...(row.retryUncertain === true && { retryUncertain: true }),
    ...(row.tracking && { tracking: row.tracking }),
    messagesPerSecond: row.messagesPerSecond,
    ...(row.sendsSystemMail === true && { sendsSystemMail: true }),
    ...(row.quietUntil && row.quietUntil > new Date() && { quietUntil: row.quietUntil }),
    ...(row.outage && { outage: showOutage(row.outage) }),
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

const CHECK_RESULTS = ['accepted', 'refused', 'incomplete', 'not_offered'] as const;

/** What the provider says about the credentials of an integration. */
export class IntegrationCheckResponse {
  /**
   * `accepted`, `refused`, `incomplete` if the provider was not asked because something is missing, or `not_offered` if it
   * cannot be checked without sending.
   * @example refused
   */
  @ApiProperty({ enum: CHECK_RESULTS })
  result: (typeof CHECK_RESULTS)[number];
  /**
   * Why the provider refused, in its words or those of the network, or what is missing. Secrets are masked.
   * @example Invalid login: 535 Authentication failed
   */
  reason?: string;
}
