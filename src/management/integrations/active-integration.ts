import type { Channel } from '#libs/channels';
import { CHANNELS } from '#libs/channels';
import type { ConditionGroup } from '#libs/conditions';
import type { Tracking } from '../recipient-links/index.js';
import type { IntegrationCredentials } from './credentials.js';
import type { Outage } from './integration.schema.js';
import { isRanked } from './integration-rankings.js';
import type { IntegrationView } from './integration-views.js';

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
