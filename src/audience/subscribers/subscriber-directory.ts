import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { TenantContext } from '#libs/common';
import type { LinkedPage } from '#libs/http-kit';
import type { TenantModel } from '#libs/persistence';
import { linkedPage } from './subscriber-search.js';
import { SubscriberSummaries } from './subscriber-summaries.js';
import { SubscriberUpserts } from './subscriber-upserts.js';
import { type SubscriberDefinition, upsertOf } from './subscriber-writes.js';
import type { LinkedSubscribersQuery } from './subscriber.dto.js';
import { showSubscriber, type SubscriberResponse } from './subscriber.response.js';
import { Subscriber } from './subscriber.schema.js';
import { SubscriberAlreadyExists } from './subscribers.errors.js';

/** Subscribers as later clients list and create them. */
@Injectable()
export class SubscriberDirectory {
  constructor(
    @InjectModel(Subscriber.name) private readonly subscribers: TenantModel<Subscriber>,
    private readonly upserts: SubscriberUpserts,
    private readonly summaries: SubscriberSummaries,
  ) {}

  list(tenant: TenantContext, query: LinkedSubscribersQuery): Promise<LinkedPage<SubscriberResponse>> {
    return linkedPage(this.subscribers, tenant, query);
  }

  /** Of several callers at the same time, one creates the subscriber. @throws {SubscriberAlreadyExists} */
  async createNew(tenant: TenantContext, definition: SubscriberDefinition): Promise<SubscriberResponse> {
    const row = await this.upserts.insertNew(upsertOf(tenant, definition, new Date()));
    this.summaries.forget(tenant, definition.subscriberId);
    if (row === undefined) throw new SubscriberAlreadyExists(definition.subscriberId);
    return showSubscriber(row);
  }
}
