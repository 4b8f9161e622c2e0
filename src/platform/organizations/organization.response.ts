import { shown } from '#libs/http-kit';
import type { Branding, Organization } from './organization.schema.js';

/** Logo, colors and font of messages. */
export class BrandingResponse {
  /**
   * URL of the logo.
   * @example https://example.com/logo.png
   */
  logo?: string;
  /**
   * Color of buttons in emails.
   * @example "#0b6b5d"
   */
  color?: string;
  /**
   * Color of text.
   * @example "#1f2430"
   */
  fontColor?: string;
  /**
   * Color behind the content.
   * @example "#ffffff"
   */
  contentBackground?: string;
  /**
   * Font.
   * @example Inter
   */
  fontFamily?: string;
}

/** An organization: the owner of environments. */
export class OrganizationResponse {
  /** @example 64f0c1a2b3c4d5e6f7a8b9c0 */
  _id: string;
  /** Equal to `_id`. */
  id: string;
  /**
   * Display name.
   * @example Acme
   */
  name: string;
  /** Branding of the environment of your API key; empty until it is set. */
  branding: BrandingResponse;
  createdAt: Date;
  updatedAt: Date;
  __v: number;
}

export function showOrganization(row: Organization, branding: Branding): OrganizationResponse {
  return shown(OrganizationResponse, {
    _id: row._id.toHexString(),
    id: row._id.toHexString(),
    name: row.name,
    branding: shown(BrandingResponse, { ...branding }),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    __v: row.__v,
  });
}
