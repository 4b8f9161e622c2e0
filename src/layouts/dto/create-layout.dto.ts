import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsOptional } from 'class-validator';
import { IsName, IsValidBy, OptionalString } from '#libs/http-kit';
import { type TemplateVariable, validateTemplateVariables } from '#libs/templates';
import { validateLayoutContent } from '../layout-content.js';

export class CreateLayoutDto {
  /**
   * Name for people.
   * @example "Company layout"
   */
  @IsName()
  name: string;

  /**
   * Your own identifier of the layout, unique in the environment.
   * @example company
   */
  @IsName()
  identifier: string;

  /**
   * What it is for.
   * @example Logo and legal footer
   */
  @OptionalString(1000)
  description?: string | null;

  /**
   * HTML with `{{{body}}}` where the body of the message goes.
   * @example <html><body>{{{body}}}</body></html>
   */
  @IsValidBy('isLayoutContent', validateLayoutContent)
  content: string;

  /** Variables that the layout reads from the payload. */
  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    example: [{ name: 'year', type: 'String', required: false, defaultValue: '2026' }],
  })
  @IsOptional()
  @IsValidBy('areTemplateVariables', validateTemplateVariables)
  variables?: TemplateVariable[] | null;

  /**
   * True makes it the layout of new e-mail steps that name none, in the place of the present default.
   * @example false
   */
  @IsOptional()
  @IsBoolean()
  isDefault?: boolean | null;
}
