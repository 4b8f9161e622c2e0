import { ApiPropertyOptional, OmitType, PartialType } from '@nestjs/swagger';
import { IsBoolean, isDefined, IsIn, IsInt, IsOptional, Max, Min, ValidateIf } from 'class-validator';
import {
  apiListOf,
  AsDeclared,
  AsNumber,
  IsName,
  IsValidBy,
  OptionalString,
  PageQuery,
  ReadBack,
} from '#libs/http-kit';
import { parseTemplate, type TemplateVariable, templateVariable, templateVariables } from '#libs/templates';

const BODY = /\{\{\{\s*body\s*\}\}\}/;
const LAYOUT_SORT_FIELDS = ['createdAt', 'updatedAt', 'name', 'identifier'] as const;
/** What answers show of a layout and no request sets. */
const SHOWN_OF_LAYOUTS = ['channel', 'contentType', 'isDeleted'];

@ReadBack(...SHOWN_OF_LAYOUTS)
export class CreateLayoutDto {
  /**
   * Display name.
   * @example "Company layout"
   */
  @IsName()
  name: string;

  /**
   * Your identifier of the layout, unique in the environment. Generated from the name if absent.
   * @example company
   */
  // Published clients send none. It cannot be derived without a name, so it is then required too.
  @ValidateIf(({ name }: CreateLayoutDto, identifier: unknown) => isDefined(identifier) || !isDefined(name))
  @ApiPropertyOptional({ nullable: true })
  @IsName()
  identifier?: string | null;

  /**
   * Description.
   * @example Logo and legal footer
   */
  @OptionalString(1000)
  description?: string | null;

  /**
   * HTML with `{{{body}}}` where the content of the email goes.
   * @example <html><body>{{{body}}}</body></html>
   */
  @IsValidBy('isLayoutContent', faultsOfContent)
  content: string;

  /** Variables that the layout reads from the payload. */
  @ApiPropertyOptional({
    ...apiListOf(templateVariable),
    nullable: true,
    maxItems: 500,
    example: [{ name: 'year', type: 'String', required: false, defaultValue: '2026' }],
  })
  @IsOptional()
  @AsDeclared(templateVariables)
  @IsValidBy('areTemplateVariables', templateVariables)
  variables?: TemplateVariable[] | null;

  /**
   * True makes this the default layout, which new email steps without a layout get. The former default is then no
   * longer the default.
   * @example false
   */
  @IsOptional()
  @IsBoolean()
  isDefault?: boolean | null;
}

/** Absent fields are unchanged. */
@ReadBack(...SHOWN_OF_LAYOUTS)
export class UpdateLayoutDto extends PartialType(CreateLayoutDto) {}

/** A layout without ids. What is absent has its default. */
export class LayoutDefinitionDto extends OmitType(CreateLayoutDto, ['identifier', 'isDefault']) {
  /**
   * Your identifier of the layout, unique in the environment.
   * @example company
   */
  @IsName()
  identifier: string;

  /**
   * True makes this the default layout, which new email steps of POST /v1/workflows without a layout get. Otherwise, the
   * default layout stays as it is.
   * @example false
   */
  @IsOptional()
  @IsBoolean()
  isDefault?: boolean | null;
}

export class ListLayoutsDto extends PageQuery {
  /**
   * Number of rows per page; alias of `limit`.
   * @example 10
   */
  @ApiPropertyOptional({ type: 'integer' })
  @IsOptional()
  @AsNumber()
  @IsInt()
  @Min(1)
  @Max(100)
  pageSize?: number;

  /** Field to sort by. */
  @ApiPropertyOptional({ enum: LAYOUT_SORT_FIELDS, default: 'createdAt' })
  @IsOptional()
  @IsIn(LAYOUT_SORT_FIELDS)
  sortBy?: (typeof LAYOUT_SORT_FIELDS)[number];

  @ApiPropertyOptional({
    type: 'integer',
    enum: [1, -1],
    default: -1,
    description: '1 sorts in ascending order, -1 in descending order.',
  })
  @IsOptional()
  @AsNumber()
  @IsIn([1, -1])
  orderBy?: 1 | -1;
}

/** Lists the faults of a layout's content, each beginning with its path. */
function faultsOfContent(content: unknown, path: string): string[] {
  if (typeof content !== 'string') return [`${path} must be a string`];
  if (!BODY.test(content)) return [`${path} must contain {{{body}}} where the body of the message goes`];
  const parsed = parseTemplate(content);
  return parsed.ok ? [] : [`${path} is not a valid template: ${parsed.message}`];
}
