import { Injectable } from '@nestjs/common';
import type { TenantContext } from '#libs/common';
import { SubscriberSummaries } from '../../audience/subscribers/index.js';
import type { InboxOwner } from '../../engine/messages/inbox/index.js';

/** Whose notifications a path names. */
@Injectable()
export class NotificationOwners {
  constructor(private readonly subscribers: SubscriberSummaries) {}

  /** @throws {SubscriberNotFound} */
  async of(tenant: TenantContext, subscriberId: string): Promise<InboxOwner> {
    const { _id } = await this.subscribers.recent(tenant, subscriberId);
    return { id: _id.toHexString(), subscriberId };
  }
}
