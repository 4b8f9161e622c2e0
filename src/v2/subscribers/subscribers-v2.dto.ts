import { OmitType } from '@nestjs/swagger';
import { LinkedPageQuery, OptionalFlag, OptionalString, OrderedBy } from '#libs/http-kit';
import { CreateSubscriberDto } from '../../audience/subscribers/index.js';

/** Absent fields stay; `null` and an empty text remove a value. */
export class UpsertSubscriberDto extends OmitType(CreateSubscriberDto, ['channels']) {}

export class UpsertSubscriberQuery {
  @OptionalFlag('Whether a subscriber with the same subscriberId is refused, and not updated.')
  failIfExists?: boolean;
}

export class SubscriptionsOfSubscriberQuery extends LinkedPageQuery {
  @OrderedBy('_id', 'createdAt')
  orderBy?: string;

  /**
   * Only the subscription to the topic with this key.
   * @example order-4711-watchers
   */
  @OptionalString()
  key?: string | null;
}
