import { Injectable } from '@nestjs/common';
import { ChannelRegistry, type Connection, ProviderError } from '#libs/channels';
import { Clock, type TenantContext } from '#libs/common';
import { shown } from '#libs/http-kit';
import {
  type ActiveIntegration,
  type CallbackIntegration,
  type IntegrationCredentials,
  IntegrationsService,
} from '../../channels/integrations/index.js';
import { NoActiveIntegration, SubscriberNotFound, SubscribersService } from '../subscribers/index.js';
import type { CreateChatLinkDto } from './chat-link.dto.js';
import { ChatLinkResponse } from './chat-link.response.js';
import { ChatLinkNotMade, ChatLinksNotReceived } from './chat-links.errors.js';
import { linkToken, readLinkToken } from './link-token.js';

const VALID_MS = 3_600_000;

/** Links with which people connect their chat with a subscriber. Nothing of them is stored. */
@Injectable()
export class ChatLinksService {
  constructor(
    private readonly subscribers: SubscribersService,
    private readonly integrations: IntegrationsService,
    private readonly channels: ChannelRegistry,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws {SubscriberNotFound} @throws {NoActiveIntegration} @throws {ChatLinksNotReceived} @throws {ChatLinkNotMade}
   */
  async create(tenant: TenantContext, subscriberId: string, dto: CreateChatLinkDto): Promise<ChatLinkResponse> {
    const known = await this.subscribers.findByExternalIds(tenant, [subscriberId]);
    const subscriber = known.get(subscriberId);
    if (subscriber === undefined) throw new SubscriberNotFound(subscriberId);
    const { providerId, integrationIdentifier } = dto;
    const choice = { providerId, identifier: integrationIdentifier || undefined };
    const [integration] = await this.integrations.findActiveByProvider(tenant, [choice]);
    if (integration === undefined) throw new NoActiveIntegration([dto]);
    const expiresAt = new Date(this.clock.now().getTime() + VALID_MS);
    const key = keyOf(integration.credentials);
    if (key === undefined) throw new ChatLinksNotReceived(integration.identifier);
    const token = linkToken({ subscriberRecordId: subscriber._id, expiresAt }, integration.id, key);
    return shown(ChatLinkResponse, { url: await this.urlOf(integration, token), expiresAt: expiresAt.toISOString() });
  }

  /** @returns false for a link that is forged or has expired, or whose subscriber is gone */
  async connect(integration: CallbackIntegration, { token, credentials }: Connection): Promise<boolean> {
    const { id, identifier, owner, providerId } = integration;
    const claims = readLinkToken(token, id, keyOf(integration.credentials) ?? '', this.clock.now());
    const subscriber = claims && (await this.subscribers.findById(owner, claims.subscriberRecordId));
    if (subscriber === undefined) return false;
    const dto = { providerId, integrationIdentifier: identifier, credentials };
    try {
      await this.subscribers.setCredentials(owner, subscriber.subscriberId, dto, 'append', subscriber._id);
      return true;
    } catch (error) {
      // They have gone in the meantime.
      if (error instanceof SubscriberNotFound || error instanceof NoActiveIntegration) return false;
      throw error;
    }
  }

  private async urlOf({ channel, providerId, credentials }: ActiveIntegration, token: string): Promise<string> {
    try {
      const url = await this.channels.connectionUrl(channel, providerId, credentials, token);
      if (url !== undefined) return url;
      throw new ChatLinkNotMade(`'${providerId}' has no links.`);
    } catch (error) {
      if (error instanceof ProviderError) throw new ChatLinkNotMade(error.message);
      throw error;
    }
  }
}

/** Whoever knows it can send updates in the name of the provider anyway. */
function keyOf({ callbackSecret }: IntegrationCredentials): string | undefined {
  return typeof callbackSecret === 'string' && callbackSecret !== '' ? callbackSecret : undefined;
}
