import type { TenantResponse } from '../../management/tenants/index.js';
import type { PageBranding } from './page-frame.js';

/**
 * How pages look for the people of a tenant: its name, and `data.branding` with `logo` and `color`. What the tenant lacks is that of
 * the environment.
 */
export function brandingOf({ name, data }: Pick<TenantResponse, 'name' | 'data'>, common: PageBranding): PageBranding {
  const own: unknown = data?.['branding'];
  const given = typeof own === 'object' && own !== null ? (own as Record<string, unknown>) : {};
  const { logo, color } = given;
  return {
    ...common,
    name,
    ...(isText(logo) && { logo }),
    ...(isText(color) && { color }),
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
