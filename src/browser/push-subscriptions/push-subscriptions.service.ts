import { Injectable } from '@nestjs/common';
import { parseForeignJson, type TenantContext } from '#libs/common';
import type { CallingSubscriber } from '#libs/http-kit';
import { IntegrationsService } from '../../channels/integrations/index.js';
import { NoActiveIntegration, type SubscriberResponse, SubscribersService } from '../../audience/subscribers/index.js';
import type { CreatePushSubscriptionDto, DeviceTokenDto } from './push-subscription.dto.js';
import type { DeviceTokenResponse, PushKeyResponse, PushSubscriptionResponse } from './push-subscription.response.js';

const PROVIDER = 'web-push';
/** Of a provider. Each message is one request per token, to browsers even to a host that the subscriber chooses. */
const MAX_TARGETS = 20;

/** Subscriptions of browsers are device tokens of the subscriber, too. */
@Injectable()
export class PushSubscriptionsService {
  constructor(
    private readonly integrations: IntegrationsService,
    private readonly subscribers: SubscribersService,
  ) {}

  async key(tenant: TenantContext): Promise<PushKeyResponse> {
    const [integration] = await this.integrations.findActiveByProvider(tenant, [{ providerId: PROVIDER }]);
    const publicKey = integration?.credentials['applicationId'];
    if (typeof publicKey !== 'string') throw new NoActiveIntegration([{ providerId: PROVIDER }]);
    return { publicKey };
  }

  /** Registering a browser again replaces its subscription. */
  async create(
    tenant: TenantContext,
    subscriber: CallingSubscriber,
    { endpoint, keys: { p256dh, auth } }: CreatePushSubscriptionDto,
  ): Promise<PushSubscriptionResponse> {
    const token = JSON.stringify({ endpoint, keys: { p256dh, auth } });
    await this.add(tenant, subscriber, PROVIDER, token, (other) => endpointOf(other) === endpoint);
    return { endpoint };
  }

  async remove(tenant: TenantContext, subscriberId: string, endpoint: string): Promise<void> {
    const tokens = tokensOf(await this.subscribers.get(tenant, subscriberId), PROVIDER);
    const own = tokens.filter((token) => endpointOf(token) === endpoint);
    await this.subscribers.removeDeviceTokens(tenant, subscriberId, PROVIDER, own);
  }

  async addDevice(
    tenant: TenantContext,
    subscriber: CallingSubscriber,
    { providerId, deviceToken }: DeviceTokenDto,
  ): Promise<DeviceTokenResponse> {
    await this.add(tenant, subscriber, providerId, deviceToken, () => false);
    return { providerId };
  }

  removeDevice(
    tenant: TenantContext,
    subscriberId: string,
    { providerId, deviceToken }: DeviceTokenDto,
  ): Promise<void> {
    return this.subscribers.removeDeviceTokens(tenant, subscriberId, providerId, [deviceToken]);
  }

  /** @param isFormer whether another token is of the same browser */
  private async add(
    tenant: TenantContext,
    { id, subscriberId }: CallingSubscriber,
    providerId: string,
    token: string,
    isFormer: (token: string) => boolean,
  ): Promise<void> {
    const dto = { providerId, credentials: { deviceTokens: [token] } };
    const stored = await this.subscribers.setCredentials(tenant, subscriberId, dto, 'append', id);
    const others = tokensOf(stored, providerId).filter((other) => other !== token);
    const former = others.filter(isFormer);
    const kept = others.filter((other) => !former.includes(other));
    const surplus = kept.slice(0, Math.max(0, kept.length - (MAX_TARGETS - 1)));
    await this.subscribers.removeDeviceTokens(tenant, subscriberId, providerId, [...former, ...surplus]);
  }
}

/** Oldest first. */
function tokensOf({ channels }: SubscriberResponse, provider: string): string[] {
  return channels
    .filter(({ providerId }) => providerId === provider)
    .flatMap(({ credentials }) => credentials.deviceTokens ?? []);
}

/** Undefined for other tokens, which the management API accepts. */
function endpointOf(token: string): unknown {
  try {
    return (parseForeignJson(token) as { endpoint?: unknown } | null)?.endpoint;
  } catch {
    return undefined;
  }
}
