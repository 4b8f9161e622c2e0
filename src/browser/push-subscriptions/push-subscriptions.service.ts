import { Injectable } from '@nestjs/common';
import { parseForeignJson, type TenantContext } from '#libs/common';
import type { CallingSubscriber } from '#libs/http-kit';
import { IntegrationsService } from '../../channels/integrations/index.js';
import { NoActiveIntegration, type SubscriberResponse, SubscribersService } from '../../audience/subscribers/index.js';
import type { CreatePushSubscriptionDto } from './push-subscription.dto.js';
import type { PushKeyResponse, PushSubscriptionResponse } from './push-subscription.response.js';

const PROVIDER = 'web-push';
/** Each message is one request per browser to a host that the subscriber chooses. */
const MAX_BROWSERS = 20;

/** Subscriptions are device tokens of the subscriber. */
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
    { id, subscriberId }: CallingSubscriber,
    { endpoint, keys: { p256dh, auth } }: CreatePushSubscriptionDto,
  ): Promise<PushSubscriptionResponse> {
    const token = JSON.stringify({ endpoint, keys: { p256dh, auth } });
    const dto = { providerId: PROVIDER, credentials: { deviceTokens: [token] } };
    const tokens = tokensOf(await this.subscribers.setCredentials(tenant, subscriberId, dto, 'append', id));
    const others = tokens.filter((other) => other !== token);
    const former = others.filter((other) => endpointOf(other) === endpoint);
    const kept = others.filter((other) => !former.includes(other));
    const surplus = kept.slice(0, Math.max(0, kept.length - (MAX_BROWSERS - 1)));
    await this.subscribers.removeDeviceTokens(tenant, subscriberId, PROVIDER, [...former, ...surplus]);
    return { endpoint };
  }

  async remove(tenant: TenantContext, subscriberId: string, endpoint: string): Promise<void> {
    const tokens = tokensOf(await this.subscribers.get(tenant, subscriberId));
    const own = tokens.filter((token) => endpointOf(token) === endpoint);
    await this.subscribers.removeDeviceTokens(tenant, subscriberId, PROVIDER, own);
  }
}

/** Oldest first. */
function tokensOf({ channels }: SubscriberResponse): string[] {
  return channels
    .filter(({ providerId }) => providerId === PROVIDER)
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
