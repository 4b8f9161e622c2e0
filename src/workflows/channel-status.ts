import { Injectable } from '@nestjs/common';
import type { TenantContext } from '#libs/tenancy';
import type { ChannelStatus } from './integration-status.js';
import type { Channel } from './workflow.schema.js';

/** Says which channels of an environment have integrations. */
export abstract class ChannelStatusSource {
  abstract channelStatus(tenant: TenantContext): Promise<Record<Channel, ChannelStatus>>;
}

const NONE: ChannelStatus = { hasActive: false, hasPrimary: false };

/** The truth of an installation without integrations: in-app messages need none (decisions 5.1a). */
@Injectable()
export class NoIntegrations extends ChannelStatusSource {
  channelStatus(): Promise<Record<Channel, ChannelStatus>> {
    const inApp = { hasActive: true, hasPrimary: false };
    return Promise.resolve({ in_app: inApp, email: NONE, sms: NONE, chat: NONE, push: NONE });
  }
}
