import { Injectable } from '@nestjs/common';
import type { TenantContext } from '#libs/common';
import { BrandingsService } from '../../platform/organizations/index.js';
import { type LinkClaims, RecipientLinks } from '../../platform/recipient-links/index.js';
import { type ResolvedSubscriber, SubscribersService } from '../../audience/subscribers/index.js';
import { TenantsService, type TenantResponse } from '../../audience/tenants/index.js';
import type { PageBranding } from './page-frame.js';

export type LinkKind = Parameters<RecipientLinks['read']>[0];

/** Who follows a link, and from which message. */
export interface Recipient {
  readonly tenant: TenantContext;
  readonly claims: LinkClaims;
  readonly subscriber: ResolvedSubscriber;
  readonly branding: PageBranding;
}

/** `invalid`: Herald did not make the link; `gone`: the subscriber was deleted. */
export type RecipientFault = 'invalid' | 'gone';

@Injectable()
export class Recipients {
  constructor(
    private readonly links: RecipientLinks,
    private readonly subscribers: SubscribersService,
    private readonly brandings: BrandingsService,
    private readonly tenants: TenantsService,
  ) {}

  /** The store is asked only about links that Herald made. */
  async find(kind: LinkKind, token: string): Promise<Recipient | RecipientFault> {
    const claims = this.links.read(kind, token);
    if (claims === undefined) return 'invalid';
    const { organizationId, environmentId, subscriberId, tenantId } = claims;
    const tenant = { organizationId, environmentId, userId: subscriberId, apiKeyId: subscriberId };
    const [subscriber, branding, own] = await Promise.all([
      this.subscribers.findById(tenant, subscriberId),
      this.brandings.of(tenant),
      tenantId === undefined ? undefined : this.tenants.findByIdOrIdentifier(tenant, tenantId),
    ]);
    if (subscriber === undefined) return 'gone';
    return { tenant, claims, subscriber, branding: own === undefined ? branding : brandingOf(own, branding) };
  }

  /** How pages look that belong to a tenant, which the link does not name. */
  async brandingFor({ tenant, branding }: Recipient, identifier: string): Promise<PageBranding> {
    const own = await this.tenants.findByIdentifier(tenant, identifier);
    return own === undefined ? branding : brandingOf(own, branding);
  }

  /** Of the preference page, seen from the page of another link. */
  preferencesPath({ claims }: Recipient): string {
    return `../preferences/${this.links.tokenOf('preferences', claims)}`;
  }
}

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
