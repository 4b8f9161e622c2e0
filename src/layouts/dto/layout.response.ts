import { ApiProperty } from '@nestjs/swagger';
import type { TemplateVariable } from '#libs/templates';
import type { Layout } from '../layout.schema.js';

/** A layout. */
export class LayoutResponse {
  /** @example 64f0c1a2b3c4d5e6f7a8b9c0 */
  _id: string;
  /** Equal to `_id`. */
  id: string;
  /** @example "Company layout" */
  name: string;
  /** @example company */
  identifier: string;
  /** @example Logo and legal footer */
  description?: string;
  @ApiProperty({ enum: ['email'] })
  channel: 'email';
  /** @example <html><body>{{{body}}}</body></html> */
  content: string;
  @ApiProperty({ enum: ['customHtml'] })
  contentType: 'customHtml';
  @ApiProperty({ type: 'array', items: { type: 'object', additionalProperties: true } })
  variables: TemplateVariable[];
  /** True for the one layout of the environment that new e-mail steps get. */
  isDefault: boolean;
  /** False: deleted layouts are not shown. */
  isDeleted: boolean;
  deleted: boolean;
  _creatorId: string;
  _environmentId: string;
  _organizationId: string;
  createdAt: Date;
  updatedAt: Date;
  __v: number;

  static from(row: Layout): LayoutResponse {
    return Object.assign(new LayoutResponse(), {
      _id: row._id.toHexString(),
      id: row._id.toHexString(),
      name: row.name,
      identifier: row.identifier,
      ...(row.description !== undefined && { description: row.description }),
      channel: 'email' as const,
      content: row.content,
      contentType: 'customHtml' as const,
      variables: row.variables,
      isDefault: row.isDefault,
      isDeleted: row.deleted,
      deleted: row.deleted,
      _creatorId: row._creatorId.toHexString(),
      _environmentId: row._environmentId.toHexString(),
      _organizationId: row._organizationId.toHexString(),
      createdAt: row.createdAt,
      updatedAt: row.updatedAt,
      __v: row.__v,
    });
  }
}
