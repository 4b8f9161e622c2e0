import type { Branding, Organization } from '../organization.schema.js';

/** How messages look. */
export class BrandingResponse {
  /** @example https://example.com/logo.png */
  logo?: string;
  /** @example "#f47373" */
  color?: string;
  /** @example "#1f2430" */
  fontColor?: string;
  /** @example "#ffffff" */
  contentBackground?: string;
  /** @example Inter */
  fontFamily?: string;
}

/** An organization: the owner of environments. */
export class OrganizationResponse {
  /** @example 64f0c1a2b3c4d5e6f7a8b9c0 */
  _id: string;
  /** Equal to `_id`. */
  id: string;
  /** @example Acme */
  name: string;
  /** Empty until it is set. */
  branding: BrandingResponse;
  createdAt: Date;
  updatedAt: Date;
  __v: number;

  static from(row: Organization): OrganizationResponse {
    return Object.assign(new OrganizationResponse(), {
      _id: row._id.toHexString(),
      id: row._id.toHexString(),
      name: row.name,
      branding: { ...row.branding } satisfies Branding,
      createdAt: row.createdAt,
      updatedAt: row.updatedAt,
      __v: row.__v,
    });
  }
}
