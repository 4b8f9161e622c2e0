import { Injectable } from '@nestjs/common';
import type { Channel } from '#libs/channels';
import { CHANNELS } from '#libs/channels';
import type { ConditionGroup } from '#libs/conditions';
import type { TenantContext } from '#libs/common';
import type { IntegrationCredentials } from './credentials.js';
import { isRanked } from './integration-rankings.js';
import { IntegrationViews, type IntegrationView } from './integration-views.js';

type Environment = Pick<TenantContext, 'environmentId'>;

/** What delivery needs of an active integration. Never log it: the credentials are in clear. */
export interface ActiveIntegration {
  readonly id: string;
  readonly identifier: string;
  readonly name: string;
  readonly providerId: string;
  readonly channel: Channel;
  readonly credentials: IntegrationCredentials;
  /** Why the credentials cannot be read: nothing can be sent with it. */
  readonly credentialsError?: string;
  readonly conditions: readonly ConditionGroup[];
  readonly primary: boolean;
  readonly priority: number;
  /** A message that its provider may have taken is sent again, and to the next integration. */
  readonly retryUncertain: boolean;
}

/** State of a channel in an environment, with the names that workflows show it by. */
export interface ChannelStatus {
  readonly hasActiveIntegrations: boolean;
  /** Email and sms only. */
  readonly hasPrimaryIntegrations?: boolean;
}

/** Answers the engine's questions about active integrations from memory; see IntegrationViews for how old they may be. */
@Injectable()
export class ActiveIntegrations {
  constructor(private readonly views: IntegrationViews) {}

  /** The active integrations of a channel in the order in which to try them. */
  async candidates(
    { environmentId }: Environment,
    channel: Channel,
    { identifier }: { identifier?: string } = {},
  ): Promise<ActiveIntegration[]> {
    return activeOf(await this.views.recent(environmentId))
      .filter((one) => one.channel === channel && (identifier === undefined || one.identifier === identifier))
      .sort((a, b) => b.priority - a.priority); // the primary one has the highest; others of equal rank stay newest first
  }

  /** The newest active chat or push integration of a provider; looks at the store before it says that there is none. */
  async findByProvider(
    { environmentId }: Environment,
    providerId: string,
    identifier?: string,
  ): Promise<ActiveIntegration | undefined> {
    const matching = (views: readonly IntegrationView[]): ActiveIntegration | undefined =>
      activeOf(views).find(
        (one) =>
          one.providerId === providerId &&
          (one.channel === 'chat' || one.channel === 'push') &&
          (identifier === undefined || one.identifier === identifier),
      );
    const found = matching(await this.views.recent(environmentId));
    if (found !== undefined) return found;
    this.views.forget(environmentId);
    return matching(await this.views.recent(environmentId));
  }

  /** Whether anything can be delivered on the channel. In-app needs no integration, but one that is inactive turns it off. */
  async hasActive({ environmentId }: Environment, channel: Channel): Promise<boolean> {
    return isOn(await this.views.recent(environmentId), channel);
  }

  /** The state of every channel. */
  async status({ environmentId }: Environment): Promise<Record<Channel, ChannelStatus>> {
    const views = await this.views.recent(environmentId);
    const entries = CHANNELS.map((channel): [Channel, ChannelStatus] => [
      channel,
      {
        hasActiveIntegrations: isOn(views, channel),
        ...(isRanked(channel) && {
          hasPrimaryIntegrations: views.some(({ row, primary }) => row.channel === channel && primary),
        }),
      },
    ]);
    return Object.fromEntries(entries) as Record<Channel, ChannelStatus>;
  }
}

function isOn(views: readonly IntegrationView[], channel: Channel): boolean {
  const own = views.filter(({ row }) => row.channel === channel);
  if (channel === 'in_app' && own.length === 0) return true;
  return own.some(({ row }) => row.active);
}

function activeOf(views: readonly IntegrationView[]): ActiveIntegration[] {
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
    }));
}
