import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsMongoId, IsOptional } from 'class-validator';
import { type Channel, CHANNELS } from '#libs/channels';
import { type ConditionGroup, validateConditions } from '#libs/conditions';
import { IsName, IsValidBy, OptionalString } from '#libs/http-kit';
import { credentialFaults } from '../credentials.js';
import { CONDITIONS_SCHEMA, CREDENTIALS_SCHEMA } from './integration.openapi.js';

/** Conditions of integrations look at the tenant of a trigger; they are checked like those of steps. */
const conditionFaults = (value: unknown, path: string): string[] => validateConditions(value, path, { on: ['tenant'] });

export class CreateIntegrationDto {
  /**
   * Provider that delivers. An inactive integration may name one that Herald does not know.
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
   * Name for people. By default the provider's display name.
   * @example Custom SMTP
   */
  @OptionalString()
  name?: string | null;

  /**
   * Your own identifier, unique in the environment. By default made of the name and a short id.
   * @example smtp-eu
   */
  @OptionalString()
  identifier?: string | null;

  /** Another environment of your organization to create the integration in. */
  @IsOptional()
  @IsMongoId()
  @ApiPropertyOptional({ type: String, pattern: '^[0-9a-fA-F]{24}$', nullable: true, example: null })
  _environmentId?: string | null;

  /** What the provider is called with; docs/providers.md lists the keys of each. Kept encrypted. */
  @IsOptional()
  @IsValidBy('credentials', credentialFaults)
  @ApiPropertyOptional({ ...CREDENTIALS_SCHEMA, nullable: true })
  credentials?: Record<string, unknown> | null;

  /** Whether it is used for delivery: then the provider must be known and its required credentials complete. */
  @IsOptional()
  @IsBoolean()
  @ApiPropertyOptional({ type: Boolean, nullable: true, default: false, example: false })
  active?: boolean | null;

  /** Try the credentials at the provider first, where it offers a test that sends nothing. */
  @IsOptional()
  @IsBoolean()
  @ApiPropertyOptional({ type: Boolean, nullable: true, default: false, example: false })
  check?: boolean | null;

  /** Use the integration only for triggers whose tenant meets these conditions. */
  @IsOptional()
  @IsValidBy('conditions', conditionFaults)
  @ApiPropertyOptional({ ...CONDITIONS_SCHEMA, nullable: true })
  conditions?: ConditionGroup[] | null;
}
