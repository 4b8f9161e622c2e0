import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, isDefined, IsOptional, ValidateIf } from 'class-validator';
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
   * Your own identifier of the layout, unique in the environment. Where none is given it is made of the name.
   * @example company
   */
  // Published clients send none. Without a name there is nothing to make one of, so that it is missed as well then.
  @ValidateIf(({ name }: CreateLayoutDto, identifier: unknown) => isDefined(identifier) || !isDefined(name))
  @ApiPropertyOptional({ nullable: true })
  @IsName()
  identifier?: string | null;

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
