import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, isDefined, IsOptional, ValidateIf } from 'class-validator';
import { apiListOf, IsName, IsValidBy, OptionalString, ReadBack } from '#libs/http-kit';
import { type TemplateVariable, templateVariable, templateVariables } from '#libs/templates';
import { validateLayoutContent } from '../layout-content.js';

/** What answers show of a layout and no request sets. */
export const SHOWN_OF_LAYOUTS = ['channel', 'contentType', 'isDeleted'];

@ReadBack(...SHOWN_OF_LAYOUTS)
export class CreateLayoutDto {
  /**
   * Display name.
   * @example "Company layout"
   */
  @IsName()
  name: string;

  /**
   * Your own identifier of the layout, unique in the environment. Made from the name when absent.
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
    ...apiListOf(templateVariable),
    nullable: true,
    maxItems: 500,
    example: [{ name: 'year', type: 'String', required: false, defaultValue: '2026' }],
  })
  @IsOptional()
  @IsValidBy('areTemplateVariables', templateVariables)
  variables?: TemplateVariable[] | null;

  /**
   * True makes it the default layout: that of new email steps that name none. The former default loses that role.
   * @example false
   */
  @IsOptional()
  @IsBoolean()
  isDefault?: boolean | null;
}
