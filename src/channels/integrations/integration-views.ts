import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Channel, CHANNELS } from '#libs/channels';
import { NEWEST_FIRST, ReadCache, type TenantModel } from '#libs/persistence';
import { SecretBox, SecretUnreadableError } from '#libs/secrets';
import type { ConditionGroup } from '#libs/conditions';
import type { IntegrationCredentials } from './credentials.js';
import { Integration, SEALED_CREDENTIALS, type Outage } from './integration.schema.js';
import {
  among,
  IntegrationRankings,
  isRanked,
  NO_RANKING,
  type Ranking,
  type Standing,
  standingOf,
  UNRANKED,
} from './integration-rankings.js';
import type { Tracking } from '../../platform/recipient-links/index.js';

export interface IntegrationView extends Standing {
  readonly row: Integration;
  readonly credentials: IntegrationCredentials;
  /** `credentials` is then empty. */
  readonly credentialsError?: string;
}

/** Maximum delay before changes by another process apply. */
const CACHE_MS = 3_000;
const MAX_CACHED_ENVIRONMENTS = 1_000;

@Injectable()
export class IntegrationViews {
  /** Never in a shared store: the views hold secrets. */
  private readonly cache = new ReadCache<readonly IntegrationView[]>({ max: MAX_CACHED_ENVIRONMENTS, ttlMs: CACHE_MS });

  constructor(
    @InjectModel(Integration.name) private readonly integrations: TenantModel<Integration>,
    private readonly rankings: IntegrationRankings,
    private readonly secrets: SecretBox,
  ) {}

  /** Newest first. */
  async all(environmentId: string): Promise<IntegrationView[]> {
    const [rows, rankings] = await Promise.all([
      this.integrations.list({ environmentId }, {}, { sort: NEWEST_FIRST }),
      this.rankings.of(environmentId),
    ]);
    const rankingOf = new Map<Channel, Ranking>();
    for (const { channel } of rows) {
      if (!isRanked(channel) || rankingOf.has(channel)) continue;
      const active = rows.filter((row) => row.active && row.channel === channel).map(({ _id }) => _id.toHexString());
      rankingOf.set(channel, among(rankings.get(channel) ?? NO_RANKING, active));
    }
    return rows.map((row) => {
      const ranking = rankingOf.get(row.channel);
      const standing = ranking ? standingOf(ranking, row._id.toHexString()) : UNRANKED;
      return { row, ...this.readable(row), ...standing };
    });
  }

  async one(environmentId: string, id: string): Promise<IntegrationView | undefined> {
    return (await this.all(environmentId)).find(({ row }) => row._id.toHexString() === id);
  }

  /** Like {@link all}, at most a few seconds old. */
  recent(environmentId: string): Promise<readonly IntegrationView[]> {
    return this.cache.get(environmentId, () => this.all(environmentId));
  }

  /** Call after every write. */
  forget(environmentId: string): void {
    this.cache.forget(environmentId);
  }

  unseal(row: Pick<Integration, '_id' | '_environmentId' | 'sealedCredentials'>): IntegrationCredentials {
    if (row.sealedCredentials === undefined) return {};
    const place = SEALED_CREDENTIALS.of(row._id, row._environmentId);
    return JSON.parse(this.secrets.open(row.sealedCredentials, place)) as IntegrationCredentials;
  }

  /** Reports an unreadable row instead of throwing, so that the others stay usable. */
  readable(row: Integration): Pick<IntegrationView, 'credentials' | 'credentialsError'> {
    try {
      return { credentials: this.unseal(row) };
    } catch (error) {
      if (!(error instanceof SecretUnreadableError)) throw error;
      return { credentials: {}, credentialsError: error.message };
    }
  }

  seal(credentials: IntegrationCredentials, id: Integration['_id'], environmentId: string): string | undefined {
    if (Object.keys(credentials).length === 0) return undefined;
    return this.secrets.seal(JSON.stringify(credentials), SEALED_CREDENTIALS.of(id, environmentId));
  }
}

/** Never log it: the credentials are in clear text. */
export interface ActiveIntegration {
  readonly id: string;
  readonly identifier: string;
  readonly name: string;
  readonly providerId: string;
  readonly channel: Channel;
  readonly credentials: IntegrationCredentials;
  readonly credentialsError?: string;
  readonly conditions: readonly ConditionGroup[];
  readonly primary: boolean;
  readonly priority: number;
  /** Resend a message that the provider may have accepted, also through the next integration. */
  readonly retryUncertain: boolean;
  readonly tracking?: Tracking;
  /** Absent: no limit. */
  readonly messagesPerSecond?: number;
  /** Its provider has asked for no messages until then. */
  readonly quietUntil?: Date;
  /** Its provider is down. */
  readonly outage?: Outage;
  /** Of a catcher: the integration that would have sent the message. */
  readonly insteadOf?: ActiveIntegration;
}

/** Whose sender, credentials and overrides make the message. */
export function composerOf(integration: ActiveIntegration): ActiveIntegration {
  return integration.insteadOf ?? integration;
}

export interface ChannelStatus {
  readonly hasActiveIntegrations: boolean;
  /** Email and SMS only. */
  readonly hasPrimaryIntegrations?: boolean;
}

export function activeOf(views: readonly IntegrationView[]): ActiveIntegration[] {
  return views
    .filter(({ row }) => row.active)
    .map(({ row, credentials, credentialsError, primary, priority }) => ({
      id: row._id.toHexString(),
      identifier: row.identifier,
      name: row.name,
      providerId: row.providerId,
      channel: row.channel,
      credentials,
      ...(credentialsError !== undefined && { credentialsError }),
      conditions: row.conditions,
      primary,
      priority,
      retryUncertain: row.retryUncertain === true,
      ...(row.tracking && { tracking: row.tracking }),
      ...(row.messagesPerSecond !== undefined && { messagesPerSecond: row.messagesPerSecond }),
      ...(row.quietUntil && { quietUntil: row.quietUntil }),
      ...(row.outage && { outage: row.outage }),
    }));
}

/** In-app needs no integration, but an inactive one disables the channel. */
export function isChannelOn(views: readonly IntegrationView[], channel: Channel): boolean {
  const own = views.filter(({ row }) => row.channel === channel);
  if (channel === 'in_app' && own.length === 0) return true;
  return own.some(({ row }) => row.active);
}

export function channelStatusOf(views: readonly IntegrationView[]): Record<Channel, ChannelStatus> {
  const entries = CHANNELS.map((channel): [Channel, ChannelStatus] => [
    channel,
    {
      hasActiveIntegrations: isChannelOn(views, channel),
      ...(isRanked(channel) && {
        hasPrimaryIntegrations: views.some(({ row, primary }) => row.channel === channel && primary),
      }),
    },
  ]);
  return Object.fromEntries(entries) as Record<Channel, ChannelStatus>;
}
