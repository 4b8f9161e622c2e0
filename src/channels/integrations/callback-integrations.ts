import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { type AnswerButtons, type Channel, ChannelRegistry, type ProviderCallback } from '#libs/channels';
import type { TenantContext } from '#libs/common';
import type { IntegrationCredentials } from './credentials.js';
import { Integration } from './integration.schema.js';
import { IntegrationViews } from './integration-views.js';

/** Never log it: the credentials are in clear text. */
export interface CallbackIntegration {
  readonly id: string;
  readonly identifier: string;
  readonly owner: Pick<TenantContext, 'organizationId' | 'environmentId'>;
  readonly providerId: string;
  readonly channel: Channel;
  readonly credentials: IntegrationCredentials;
  readonly callback: ProviderCallback;
  readonly buttons?: AnswerButtons;
}

@Injectable()
export class CallbackIntegrations {
  constructor(
    // The plain model: a callback names no environment.
    @InjectModel(Integration.name) private readonly integrations: Model<Integration>,
    private readonly views: IntegrationViews,
    private readonly channels: ChannelRegistry,
  ) {}

  /** Undefined also if the provider of the integration has no callbacks. */
  async find(id: string): Promise<CallbackIntegration | undefined> {
    const row = await this.integrations
      .findOne({ _id: id, active: true })
      .setOptions({ crossTenant: true })
      .lean()
      .exec();
    const { callback, buttons } = (row && this.channels.get(row.channel, row.providerId)) ?? {};
    if (!row || !callback) return undefined;
    return {
      id,
      identifier: row.identifier,
      owner: { organizationId: row._organizationId.toHexString(), environmentId: row._environmentId.toHexString() },
      providerId: row.providerId,
      channel: row.channel,
      credentials: this.views.unseal(row),
      callback,
      ...(buttons && { buttons }),
    };
  }
}
