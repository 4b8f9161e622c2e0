import { Injectable } from '@nestjs/common';
import { MessageErasure } from '../../engine/messages/reports/index.js';
import type { ErasedPerson, ErasureProgress, HoldsPersonalData } from '../../audience/subscribers/index.js';
import { WebhookDeliveriesService } from '../../outcomes/webhooks/index.js';

/** Deliveries of webhooks go first: they name only their message. */
@Injectable()
export class MessageData implements HoldsPersonalData {
  constructor(
    private readonly messages: MessageErasure,
    private readonly deliveries: WebhookDeliveriesService,
  ) {}

  async *erase(person: ErasedPerson): AsyncGenerator<ErasureProgress> {
    for (;;) {
      const ids = await this.messages.portion(person);
      if (ids.length === 0) return;
      await this.deliveries.removeOf(person.environmentId, ids);
      await this.messages.remove(person, ids);
      yield 'removed';
    }
  }
}
