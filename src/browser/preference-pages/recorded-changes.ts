import { Injectable } from '@nestjs/common';
import { EventBus } from '#libs/common';
import { derivedObjectId } from '#libs/persistence';
import { batchOfMessage, DETAIL, ExecutionDetailsService } from '../../engine/execution-details/index.js';
import { MessageReports } from '../../engine/messages/reports/index.js';
import { type PreferenceSwitch, PreferenceChanged } from '../../content/preferences/index.js';
import type { Recipient } from './recipient.js';

export interface DatedChange {
  readonly change: PreferenceSwitch;
  readonly at: Date;
}

/** Tells webhooks and the trail of the message what its recipient changed. The same change at the same time is told once. */
@Injectable()
export class RecordedChanges {
  constructor(
    private readonly events: EventBus,
    private readonly details: ExecutionDetailsService,
    private readonly messages: MessageReports,
  ) {}

  async record({ tenant, claims, subscriber }: Recipient, changes: readonly DatedChange[]): Promise<void> {
    if (changes.length === 0) return;
    const owner = { id: subscriber._id, subscriberId: subscriber.subscriberId, messageId: claims.messageId };
    for (const { change, at } of changes) {
      await this.events.publish(new PreferenceChanged(tenant, owner, change, at));
    }
    const message = await this.messages.findById(tenant, claims.messageId);
    // The message may be no longer kept; its link still works.
    if (message === undefined) return;
    await this.details.append(
      changes.map(({ change, at }) =>
        batchOfMessage(derivedObjectId(message._id, 'recipient', JSON.stringify([change, at.getTime()])), message, {
          detail: change.enabled ? DETAIL.recipientSubscribed : DETAIL.recipientUnsubscribed,
          status: 'Success',
          raw: change,
          at,
        }),
      ),
    );
  }
}
