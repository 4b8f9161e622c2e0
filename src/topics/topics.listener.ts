import { Injectable } from '@nestjs/common';
import { OnDomainEvent } from '#libs/common';
import { SubscriberDeleted } from '../subscribers/index.js';
import { TopicLinks } from './topic-links.js';

@Injectable()
export class TopicsListener {
  constructor(private readonly links: TopicLinks) {}

  @OnDomainEvent(SubscriberDeleted)
  async onSubscriberDeleted({ tenant, id }: SubscriberDeleted): Promise<void> {
    await this.links.removeSubscriber(tenant, id);
  }
}
