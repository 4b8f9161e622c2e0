import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions, OmitType, PartialType } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsMongoId, IsNumber, IsOptional, Max, Min } from 'class-validator';
import { type Channel, CHANNELS } from '#libs/channels';
import { OBJECT_ID_PATTERN } from '#libs/common';
import { type ConditionGroup, conditionGroups } from '#libs/conditions';
import { apiOf, AsSent, IsName, IsValidBy, OptionalId, OptionalString, ReadBack } from '#libs/http-kit';
import { type Tracking, tracking } from '../../platform/recipient-links/index.js';
import { CREDENTIAL_FIELDS, CREDENTIAL_KEYS, credentialFaults, MAX_CREDENTIAL_LENGTH } from './credentials.js';

const each = (keys: readonly string[], schema: object): [string, object][] => keys.map((key) => [key, schema]);

/** `credentials` as OpenAPI shows them: every key of the published interface and those of further providers. */
export const CREDENTIALS_SCHEMA = {
  type: 'object',
  properties: Object.fromEntries([
    ...each(CREDENTIAL_KEYS.strings, { type: 'string', maxLength: MAX_CREDENTIAL_LENGTH }),
    ...each(CREDENTIAL_KEYS.booleans, { type: 'boolean' }),
    ...each(CREDENTIAL_KEYS.objects, { type: 'object', additionalProperties: true }),
  ]),
  example: { host: '127.0.0.1', port: '1025', from: 'hello@example.com', senderName: 'Example', ignoreTls: true },
} as unknown as ApiPropertyOptions & { type: 'object' };

/** Conditions on the tenant of a trigger; they are checked like those of steps. */
const CONDITIONS = conditionGroups({ on: ['tenant'] });

export const CONDITIONS_SCHEMA: ApiPropertyOptions = {
  ...apiOf(CONDITIONS),
  example: [{ value: 'AND', children: [{ on: 'tenant', field: 'identifier', operator: 'EQUAL', value: 'acme' }] }],
};

export class CreateIntegrationDto {
  /**
   * Provider that delivers. An inactive integration can have a provider that Herald does not know.
   * @example nodemailer
   */
  @IsName()
  providerId: string;

  /**
   * Channel that the provider delivers on.
   * @example email
   */
  @IsIn(CHANNELS, { message: `channel must be one of the following values: ${CHANNELS.join(', ')}` })
  @ApiProperty({ enum: CHANNELS })
  channel: Channel;

  /**
   * Display name. Default: the name of the provider.
   * @example Custom SMTP
   */
  @OptionalString()
  name?: string | null;

  /**
   * Your identifier, unique in the environment. Generated from the name and a short id if absent.
   * @example smtp-eu
   */
  @OptionalId()
  identifier?: string | null;

  /** Id of the environment of your API key; any other returns 403. Optional. */
  @IsOptional()
  @IsMongoId()
  @ApiPropertyOptional({ type: String, pattern: OBJECT_ID_PATTERN.source, nullable: true, example: null })
  _environmentId?: string | null;

  /** Credentials of the provider; docs/providers.md lists the keys that each provider needs. Stored encrypted. */
  @IsOptional()
  @IsValidBy('credentials', credentialFaults, () => CREDENTIAL_FIELDS)
  @ApiPropertyOptional({ ...CREDENTIALS_SCHEMA, nullable: true })
  credentials?: Record<string, unknown> | null;

  /**
   * Whether the integration is used for delivery. An active integration requires a known provider and all its required
   * credentials.
   */
  @IsOptional()
  @IsBoolean()
  @ApiPropertyOptional({ type: Boolean, nullable: true, default: false, example: false })
  active?: boolean | null;

  /**
   * Whether to test the credentials with the provider before they are stored, if the provider offers a test that sends
   * nothing.
   */
  @IsOptional()
  @IsBoolean()
  @ApiPropertyOptional({ type: Boolean, nullable: true, default: false, example: false })
  check?: boolean | null;

  /**
   * Whether to send a message again, also through the next integration, if the provider did not respond and may have
   * accepted it. The recipient may then receive it twice. By default, such a message is not sent again.
   */
  @IsOptional()
  @IsBoolean()
  @ApiPropertyOptional({ type: Boolean, nullable: true, default: false, example: false })
  retryUncertain?: boolean | null;

  /**
   * Whether opens and clicks of mails through this integration are followed. A workflow can say otherwise; critical
   * workflows are followed only if they say so themselves. Needs the setting PUBLIC_URL. Default: nothing is followed.
   */
  @IsOptional()
  @AsSent()
  @IsValidBy('isTracking', tracking)
  @ApiPropertyOptional(apiOf(tracking))
  tracking?: Tracking | null;

  /**
   * How many messages the integration sends in a second at most, over all processes; 0.5 is one in two seconds. Messages
   * above it wait. Default: no limit.
   */
  @IsOptional()
  @IsNumber()
  @Min(0.01)
  @Max(10_000)
  @ApiPropertyOptional({ type: Number, nullable: true, minimum: 0.01, maximum: 10_000, example: 14 })
  messagesPerSecond?: number | null;

  /** Use the integration only for triggers whose tenant meets these conditions. */
  @IsOptional()
  @IsValidBy('conditions', CONDITIONS)
  @ApiPropertyOptional({ ...CONDITIONS_SCHEMA, nullable: true })
  conditions?: ConditionGroup[] | null;
}

export class SystemMailDto {
  /** Whether Herald sends its own mails through the integration. @example true */
  @IsBoolean()
  isOn: boolean;
}

/**
 * What is absent stays; `credentials`, `conditions` and `tracking` are replaced whole, and emptied by null;
 * `messagesPerSecond: null` removes the limit, and `active` and `retryUncertain` are false where they are null.
 */
@ReadBack('providerId', 'channel', 'primary', 'priority', 'sendsSystemMail')
export class UpdateIntegrationDto extends PartialType(
  OmitType(CreateIntegrationDto, ['providerId', 'channel'] as const),
) {}
