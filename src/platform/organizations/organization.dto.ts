import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsUrl, Matches, MaxLength } from 'class-validator';
import { IsName, OptionalString } from '#libs/http-kit';

export class RenameOrganizationDto {
  /**
   * New display name.
   * @example Acme
   */
  @IsName()
  name: string;
}

const COLOR = /^#(?:[0-9a-f]{3}|[0-9a-f]{4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;

/** A hexadecimal CSS colour that may be absent or null. */
function OptionalColor(): PropertyDecorator {
  return applyDecorators(
    IsOptional(),
    Matches(COLOR, { message: '$property must be a hexadecimal colour such as #0b6b5d' }),
    ApiPropertyOptional({ type: String, pattern: COLOR.source, nullable: true, example: '#0b6b5d' }),
  );
}

export class UpdateBrandingDto {
  @ApiPropertyOptional({
    type: String,
    maxLength: 2048,
    nullable: true,
    description: 'URL of an image that the built-in email layout shows at the top.',
    example: 'https://example.com/logo.png',
  })
  @IsOptional()
  @IsUrl({ protocols: ['http', 'https'], require_protocol: true, require_tld: false })
  @MaxLength(2048)
  logo?: string | null;

  /** Color of buttons in emails. */
  @OptionalColor()
  color?: string | null;

  /** For your own templates: `{{branding.fontColor}}`. */
  @OptionalColor()
  fontColor?: string | null;

  /** For your own templates: `{{branding.contentBackground}}`. */
  @OptionalColor()
  contentBackground?: string | null;

  /**
   * For your own templates: `{{branding.fontFamily}}`.
   * @example Inter
   */
  @OptionalString()
  fontFamily?: string | null;
}
