import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { LRUCache } from 'lru-cache';
import type { Model } from 'mongoose';
import { SecretBox } from '#libs/secrets';
import type { TenantContext } from '#libs/common';
import { SEALED_FORMER_SECRET, SEALED_SECRET, WebhookEndpoint } from './webhook-endpoint.schema.js';
import type { WebhookEventType } from './webhook-events.js';
import { WebhookNotFound } from './webhooks.errors.js';

type Owner = Pick<TenantContext, 'organizationId' | 'environmentId'>;

/** An active endpoint as events and attempts need it. */
export interface ActiveEndpoint {
  readonly id: string;
  readonly environmentId: string;
  readonly url: string;
  readonly events: ReadonlySet<WebhookEventType>;
  readonly activeSince: Date;
  readonly sealedSecret: string;
  readonly formerSecret?: { readonly sealed: string; readonly until: Date };
}

/** How long other processes may still use what this one has changed. */
const CACHED_MS = 3_000;
const CACHED_ENVIRONMENTS = 10_000;

/**
 * Keeps the active endpoints of each environment in memory, at most a few seconds old: for an environment without any, an
 * event costs one lookup in a map.
 */
@Injectable()
export class EndpointDirectory {
  /** Promises, so that concurrent callers share one read. Secrets in it stay sealed. */
  private readonly cache = new LRUCache<string, Promise<readonly ActiveEndpoint[]>>({
    max: CACHED_ENVIRONMENTS,
    ttl: CACHED_MS,
  });

  constructor(
    // The plain model, because the sweep asks for every environment.
    @InjectModel(WebhookEndpoint.name) private readonly endpoints: Model<WebhookEndpoint>,
    private readonly secrets: SecretBox,
  ) {}

  /** The active endpoints of an environment. */
  activeOf(environmentId: string): Promise<readonly ActiveEndpoint[]> {
    const cached = this.cache.get(environmentId);
    if (cached !== undefined) return cached;
    const reading = this.read(environmentId);
    this.cache.set(environmentId, reading);
    reading.catch(() => this.forget(environmentId));
    return reading;
  }

  /** Whether any endpoint of the environment subscribes to one of these types. */
  async isAnySubscribedTo(environmentId: string, types: readonly WebhookEventType[]): Promise<boolean> {
    const endpoints = await this.activeOf(environmentId);
    return endpoints.some(({ events }) => types.some((type) => events.has(type)));
  }

  /** One active endpoint; asks the store before it answers that there is none. */
  async find(environmentId: string, id: string): Promise<ActiveEndpoint | undefined> {
    const known = (await this.activeOf(environmentId)).find((endpoint) => endpoint.id === id);
    if (known !== undefined) return known;
    this.forget(environmentId);
    return (await this.activeOf(environmentId)).find((endpoint) => endpoint.id === id);
  }

  /** One endpoint, active or not, from the store. @throws {WebhookNotFound} */
  async get(tenant: TenantContext, id: string): Promise<WebhookEndpoint> {
    const row = await this.endpoints.findOne({ _id: id, _environmentId: tenant.environmentId }).lean().exec();
    if (row === null) throw new WebhookNotFound(id);
    return row;
  }

  /** Every environment with an active endpoint that subscribes to one of these types. */
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

  /**
   * The secrets that sign at this moment, the current one first. A former one that cannot be read is left out.
   * @throws {SecretUnreadableError}
   */
  secretsOf({ id, environmentId, sealedSecret, formerSecret }: ActiveEndpoint, now: Date): string[] {
    const current = this.secrets.open(sealedSecret, SEALED_SECRET.of(id, environmentId));
    if (formerSecret === undefined || formerSecret.until <= now) return [current];
    const former = this.secrets.tryOpen(formerSecret.sealed, SEALED_FORMER_SECRET.of(id, environmentId));
    return former === undefined ? [current] : [current, former];
  }

  /** To be called after every write. */
  forget(environmentId: string): void {
    this.cache.delete(environmentId);
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
