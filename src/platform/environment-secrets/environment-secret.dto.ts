import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString, Length } from 'class-validator';
import { IsValidBy } from '#libs/http-kit';
import { foreignSecretFaults } from '#libs/secrets';
import { hostFaults } from './secret-hosts.js';

const MAX_VALUE_LENGTH = 8_192;

export class SetSecretDto {
  /**
   * Value of the secret. It cannot be read again. Required, except to bind a secret that has no hosts yet.
   * @example sk_live_4eC39HqLyjWDarjtT1zdp7dc
   */
  @IsOptional()
  @IsString()
  @Length(1, MAX_VALUE_LENGTH)
  @IsValidBy('isOwnSecret', foreignSecretFaults)
  @ApiPropertyOptional({ type: String, nullable: true })
  value?: string | null;

  /**
   * Hosts that it may be sent to: names, or `*.example.com` for all names below one. Required for a new secret; absent, those of a
   * present secret stay.
   */
  @IsOptional()
  @IsValidBy('areHosts', hostFaults)
  @ApiPropertyOptional({ type: [String], nullable: true, example: ['crm.example.com'] })
  hosts?: string[] | null;
}
