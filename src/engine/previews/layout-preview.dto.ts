import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString, MaxLength } from 'class-validator';
import { apiListOf, IsFreeForm, IsValidBy } from '#libs/http-kit';
import { type TemplateVariable, templateVariable, templateVariables } from '#libs/templates';

const MAX_CONTENT_LENGTH = 500_000;

/** A layout that need not be stored, and what it is rendered with. */
export class PreviewLayoutDto {
  /**
   * HTML with `{{{body}}}` where the content of the email goes. Faults of the template are part of the response.
   * @example <html><body>{{{body}}}</body></html>
   */
  @IsString()
  @MaxLength(MAX_CONTENT_LENGTH)
  content: string;

  /** Variables that the layout reads from the payload. Their defaults apply. */
  @ApiPropertyOptional({ ...apiListOf(templateVariable), nullable: true, maxItems: 500 })
  @IsOptional()
  @IsValidBy('areTemplateVariables', templateVariables)
  variables?: TemplateVariable[] | null;

  /** Values that the layout reads. */
  @IsOptional()
  @IsFreeForm()
  @ApiPropertyOptional({ type: 'object', additionalProperties: true, example: { year: 2026 } })
  payload?: Record<string, unknown> | null;
}
