import { ApiPropertyOptional, PartialType } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsOptional } from 'class-validator';
import { IsFreeForm, IsName, IsValidBy } from '#libs/http-kit';

const ADDRESS = /^https:\/\/[a-z\d.-]+(?::\d{1,5})?\/?$/i;
const ADDRESS_LENGTH = 255;

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

  /**
   * Where the people of the tenant reach Herald, over a proxy of yours: links in its messages begin with it. Default: the setting
   * PUBLIC_URL.
   */
  @ApiPropertyOptional({ type: String, format: 'uri', nullable: true, example: 'https://news.acme.example' })
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => (isAddress(value) ? new URL(value).origin : value), {
    toClassOnly: true,
  })
  @IsValidBy('isPublicAddress', (value, property) =>
    isAddress(value)
      ? []
      : [`${property} must be an https URL of a host without a path, such as https://news.example.com`],
  )
  publicUrl?: string | null;
}

function isAddress(value: unknown): value is string {
  return typeof value === 'string' && value.length <= ADDRESS_LENGTH && ADDRESS.test(value) && URL.canParse(value);
}

/** Absent fields are unchanged; `data` is replaced as a whole. Null removes `data` and `publicUrl`. */
export class UpdateTenantDto extends PartialType(CreateTenantDto) {}
