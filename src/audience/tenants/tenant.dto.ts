import { ApiPropertyOptional, PartialType } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IsFreeForm, IsName } from '#libs/http-kit';

export class CreateTenantDto {
  /**
   * Your identifier of the tenant, unique in the environment.
   * @example acme
   */
  @IsName()
  identifier: string;

  /**
   * Display name.
   * @example "Acme Corporation"
   */
  @IsName()
  name: string;

  /** Free-form data that templates and conditions can read as `tenant.data`. */
  @ApiPropertyOptional({ type: 'object', additionalProperties: true, example: { plan: 'gold' } })
  @IsOptional()
  @IsFreeForm()
  data?: Record<string, unknown> | null;
}

/** Absent fields are unchanged; `data` is replaced as a whole, and removed by null. */
export class UpdateTenantDto extends PartialType(CreateTenantDto) {}
