import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { TenantContext } from '#libs/common';
import { ReadCache } from '#libs/persistence';
import { SecretBox } from '#libs/secrets';
import { SEALED_FORMER_SECRET, SEALED_SECRET, WebhookEndpoint } from './webhook-endpoint.schema.js';
import type { WebhookEventType } from './webhook-events.js';
import { WebhookNotFound } from './webhooks.errors.js';

type Owner = Pick<TenantContext, 'organizationId' | 'environmentId'>;

export interface ActiveEndpoint {
  readonly id: string;
  readonly environmentId: string;
  readonly url: string;
  readonly events: ReadonlySet<WebhookEventType>;
  readonly activeSince: Date;
  readonly sealedSecret: string;
  readonly formerSecret?: { readonly sealed: string; readonly until: Date };
}

/** Maximum delay before changes by another process apply. */
const CACHE_MS = 3_000;
const MAX_CACHED_ENVIRONMENTS = 10_000;

/** Events of an environment without webhooks cost no query. */
@Injectable()
export class EndpointDirectory {
  /** Contains only sealed secrets. */
  private readonly cache = new ReadCache<readonly ActiveEndpoint[]>({ max: MAX_CACHED_ENVIRONMENTS, ttlMs: CACHE_MS });

  constructor(
    // The plain model, because the sweep reads every environment.
    @InjectModel(WebhookEndpoint.name) private readonly endpoints: Model<WebhookEndpoint>,
    private readonly secrets: SecretBox,
  ) {}

  activeOf(environmentId: string): Promise<readonly ActiveEndpoint[]> {
    return this.cache.get(environmentId, () => this.read(environmentId));
  }

  async isAnySubscribedTo(environmentId: string, types: readonly WebhookEventType[]): Promise<boolean> {
    const endpoints = await this.activeOf(environmentId);
    return endpoints.some(({ events }) => types.some((type) => events.has(type)));
  }

  /** Bypasses the cache before it answers undefined. */
  async find(environmentId: string, id: string): Promise<ActiveEndpoint | undefined> {
    const known = (await this.activeOf(environmentId)).find((endpoint) => endpoint.id === id);
    if (known !== undefined) return known;
    this.forget(environmentId);
    return (await this.activeOf(environmentId)).find((endpoint) => endpoint.id === id);
  }

  /** Bypasses the cache; also finds inactive endpoints. */
  async get(tenant: TenantContext, id: string): Promise<WebhookEndpoint> {
    const row = await this.endpoints.findOne({ _id: id, _environmentId: tenant.environmentId }).lean().exec();
    if (row === null) throw new WebhookNotFound(id);
    return row;
  }

  async environmentsSubscribedTo(types: readonly WebhookEventType[]): Promise<Owner[]> {
    const rows = await this.endpoints
      .find({ active: true, events: { $in: types } }, { _organizationId: 1, _environmentId: 1 })
      .setOptions({ crossTenant: true })
      .lean()
      .exec();
    const owners = rows.map(({ _organizationId, _environmentId }): [string, Owner] => [
      _environmentId.toHexString(),
      { organizationId: _organizationId.toHexString(), environmentId: _environmentId.toHexString() },
    ]);
    return [...new Map(owners).values()];
  }

  /** The secrets that sign at `now`, current first. Skips a former one that is unreadable. */
  secretsOf({ id, environmentId, sealedSecret, formerSecret }: ActiveEndpoint, now: Date): string[] {
    const current = this.secrets.open(sealedSecret, SEALED_SECRET.of(id, environmentId));
    if (formerSecret === undefined || formerSecret.until <= now) return [current];
    const former = this.secrets.tryOpen(formerSecret.sealed, SEALED_FORMER_SECRET.of(id, environmentId));
    return former === undefined ? [current] : [current, former];
  }

  /** Call after every write. */
  forget(environmentId: string): void {
    this.cache.forget(environmentId);
  }

  private async read(environmentId: string): Promise<ActiveEndpoint[]> {
    const rows = await this.endpoints.find({ _environmentId: environmentId, active: true }).lean().exec();
    return rows.map(({ _id, url, events, activeSince, sealedSecret, formerSecret }) => ({
      id: _id.toHexString(),
      environmentId,
      url,
      events: new Set(events),
      activeSince,
      sealedSecret,
      ...(formerSecret && { formerSecret }),
    }));
  }
}
