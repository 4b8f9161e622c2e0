import { SubscriberResponse } from '../../subscribers/index.js';
import { type ResolvedWorkflow, WorkflowResponse } from '../../workflows/index.js';
import type { Message } from '../message.schema.js';
import { fieldsOf, MessageResponse } from './message.response.js';

/** A message with its subscriber and its workflow, as the message action answers it (interface 2.7). */
export class MessageWithOriginsResponse extends MessageResponse {
  subscriber: SubscriberResponse;
  /** The workflow, also where it was deleted since. */
  template?: WorkflowResponse;

  static of(row: Message, subscriber: SubscriberResponse, template?: WorkflowResponse): MessageWithOriginsResponse {
    return Object.assign(new MessageWithOriginsResponse(), fieldsOf(row), {
      subscriber,
      ...(template && { template }),
    });
  }
}

/** What feeds and lists show of a subscriber. */
export class MessageSubscriberResponse {
  /** @example 64f0c1a2b3c4d5e6f7a8b9c0 */
  _id: string;
  /** Equal to `_id`. */
  id: string;
  _organizationId: string;
  _environmentId: string;
  /** @example user-1 */
  subscriberId: string;
  /** @example Ann */
  firstName?: string;
  /** @example Lee */
  lastName?: string;
  /** @example https://example.com/ann.png */
  avatar?: string;
  /** @example ann@example.com */
  email?: string;
  /** @example +15551230100 */
  phone?: string;
  deleted: boolean;
  createdAt: Date;
  updatedAt: Date;

  /** Without credentials: whoever reads messages need not see them. */
  static of(subscriber: SubscriberResponse): MessageSubscriberResponse {
    const { _id, id, _organizationId, _environmentId, subscriberId, deleted, createdAt, updatedAt } = subscriber;
    const { firstName, lastName, avatar, email, phone } = subscriber;
    return Object.assign(new MessageSubscriberResponse(), {
      _id,
      id,
      _organizationId,
      _environmentId,
      subscriberId,
      deleted,
      createdAt,
      updatedAt,
      ...(firstName !== undefined && { firstName }),
      ...(lastName !== undefined && { lastName }),
      ...(avatar !== undefined && { avatar }),
      ...(email !== undefined && { email }),
      ...(phone !== undefined && { phone }),
    });
  }
}

/** What feeds show of a workflow. */
export class MessageTemplateResponse {
  /** @example 64f0c1a2b3c4d5e6f7a8b9c0 */
  _id: string;
  /** Equal to `_id`. */
  id: string;
  /** @example Order shipped */
  name: string;
  tags: string[];
  critical: boolean;

  static of({ id, name, tags, critical }: ResolvedWorkflow): MessageTemplateResponse {
    return Object.assign(new MessageTemplateResponse(), { _id: id, id, name, tags: [...tags], critical });
  }
}

/** A message as lists show it. */
export class ListedMessageResponse extends MessageResponse {
  /** Whose message it is, unless they were deleted. */
  subscriber?: MessageSubscriberResponse;
}

/** A message as the feed shows it. */
export class FeedMessageResponse extends ListedMessageResponse {
  /** The workflow, also where it was deleted since. */
  template?: MessageTemplateResponse;
  /** Who caused it. */
  actorSubscriber?: MessageSubscriberResponse;
}
