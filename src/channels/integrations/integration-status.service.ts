import { Injectable } from '@nestjs/common';
import { ChannelRegistry } from '#libs/channels';
import type { TenantContext } from '#libs/common';
import { isRanked } from './integration-rankings.js';
import type { InAppStatusResponse } from './integration.response.js';
import { IntegrationViews, isChannelOn } from './integration-views.js';
import { CallbacksNotSupported, IntegrationNotFound, NoCredentials } from './integrations.errors.js';

@Injectable()
export class IntegrationStatusService {
  constructor(
    private readonly views: IntegrationViews,
    private readonly channels: ChannelRegistry,
  ) {}

  /**
   * @param reference id or identifier of an integration, or a provider id
   */
  async understandsCallbacks({ environmentId }: TenantContext, reference: string): Promise<boolean> {
    const views = await this.views.all(environmentId);
    const found =
      views.find(({ row }) => row._id.toHexString() === reference || row.identifier === reference) ??
      views.find(({ row }) => row.providerId === reference);
    if (found === undefined) throw new IntegrationNotFound(reference);
    const { channel, providerId } = found.row;
    if (!isRanked(channel)) throw new CallbacksNotSupported(channel, providerId);
    if (found.credentialsError !== undefined) this.views.unseal(found.row);
    if (Object.keys(found.credentials).length === 0) throw new NoCredentials(reference);
    return this.channels.get(channel, providerId)?.callback !== undefined;
  }

  async inApp({ environmentId }: TenantContext): Promise<InAppStatusResponse> {
    return { active: isChannelOn(await this.views.recent(environmentId), 'in_app') };
  }
}
