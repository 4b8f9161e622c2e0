import { ApiProperty } from '@nestjs/swagger';
import { apiListOf, DeletableRecordResponse, shower } from '#libs/http-kit';
import { type TemplateVariable, templateVariable } from '#libs/templates';
import type { Layout } from './layout.schema.js';

export class LayoutResponse extends DeletableRecordResponse {
  /**
   * Display name.
   * @example "Company layout"
   */
  name: string;
  /**
   * Your identifier of the layout.
   * @example company
   */
  identifier: string;
  /**
   * Description.
   * @example Logo and legal footer
   */
  description?: string;
  /** Always `email`. */
  @ApiProperty({ enum: ['email'] })
  channel: 'email';
  /**
   * HTML with `{{{body}}}` where the content of the email goes.
   * @example <html><body>{{{body}}}</body></html>
   */
  content: string;
  /** Always `customHtml`. */
  @ApiProperty({ enum: ['customHtml'] })
  contentType: 'customHtml';
  /** Variables that the layout declares. */
  @ApiProperty(apiListOf(templateVariable))
  variables: TemplateVariable[];
  /** Whether new email steps without a layout get this one. */
  isDefault: boolean;
  /** Always false; kept for compatibility. */
  isDeleted: boolean;
  _creatorId: string;
}

export const showLayout = shower(LayoutResponse, (row: Layout) => ({
  name: row.name,
  identifier: row.identifier,
  description: row.description,
  channel: 'email' as const,
  content: row.content,
  contentType: 'customHtml' as const,
  variables: row.variables,
  isDefault: row.isDefault,
  isDeleted: row.deleted,
  _creatorId: row._creatorId.toHexString(),
}));
