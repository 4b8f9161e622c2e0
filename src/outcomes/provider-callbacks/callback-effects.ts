import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { addressKey, type CallbackEvent, readMailbox } from '#libs/channels';
import { Clock, EventBus } from '#libs/common';
import { derivedObjectId } from '#libs/persistence';
import { batchOfMessage, type DetailBatch, ExecutionDetailsService } from '../../engine/execution-details/index.js';
import type { CallbackIntegration } from '../../channels/integrations/index.js';
import { MessageReports, type ReportedMessage } from '../../engine/messages/reports/index.js';
import type { AddressChannel } from '../../audience/subscribers/index.js';
import { AddressSuppressions } from '../../content/suppressions/index.js';
import {
  addressFaultKindOf,
  addressFaultOf,
  detailStatusOf,
  detailTextOf,
  eventKeyOf,
  messageStatusOf,
  shorten,
} from './callback-status.js';
import { MessagesReported, type ReportedStatus } from './provider-callbacks.events.js';

interface MatchedEvent {
  readonly event: CallbackEvent;
  readonly message: ReportedMessage;
  readonly at: Date;
}

/** Every part is idempotent: providers repeat an unanswered call, which completes whatever an interruption left out. */
@Injectable()
export class CallbackEffects {
  constructor(
    private readonly reports: MessageReports,
    private readonly details: ExecutionDetailsService,
    private readonly suppressions: AddressSuppressions,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /** @returns the events whose message is not known */
  async apply(integration: CallbackIntegration, events: readonly CallbackEvent[]): Promise<CallbackEvent[]> {
    const now = this.clock.now();
    const all = await this.match(integration, events, now);
    const matched = await this.withoutApplied(integration, all);
    // An event of a copy gets a detail, but does not change the message's status.
    const own = matched.filter(({ event, message }) => message.channel !== 'email' || isToAddressee(event, message));
    await this.reports.apply(
      own.flatMap(({ event, message }) => {
        const status = messageStatusOf(event.status);
        const errorText = shorten(event.response);
        return status === undefined ? [] : [{ message, status, ...(errorText !== undefined && { errorText }) }];
      }),
      now,
    );
    await this.markAddresses(integration, matched);
    const reported = own.flatMap(toReport);
    if (reported.length > 0) await this.events.publish(new MessagesReported(integration.owner, reported));
    // Last, because the detail marks the event as applied.
    await this.details.append(matched.map(toDetail));
    const known = new Set(all.map(({ event }) => event));
    return events.filter((event) => !known.has(event));
  }

  /** Applied events are skipped, so that repeating them at any time changes nothing. */
  private async withoutApplied(
    { owner }: CallbackIntegration,
    matched: readonly MatchedEvent[],
  ): Promise<MatchedEvent[]> {
    if (matched.length === 0) return [];
    const done = await this.details.findExistingIds(owner.environmentId, matched.map(detailIdOf));
    return matched.filter((one) => !done.has(detailIdOf(one).toHexString()));
  }

  private async match(
    { owner, providerId }: CallbackIntegration,
    events: readonly CallbackEvent[],
    now: Date,
  ): Promise<MatchedEvent[]> {
    const identifiers = events.map(({ messageIdentifier }) => messageIdentifier);
    const messages = await this.reports.findByIdentifiers(owner, providerId, identifiers);
    return events.flatMap((event) =>
      addressees(event, messages.get(event.messageIdentifier) ?? []).map((message) => ({
        event,
        message,
        at: event.at ?? now,
      })),
    );
  }

  /** Also of copies, whose address the report names. */
  private async markAddresses({ owner }: CallbackIntegration, matched: readonly MatchedEvent[]): Promise<void> {
    for (const { event, message, at } of matched) {
      const reason = addressFaultOf(event);
      const channel = addressChannelOf(message);
      const address = channel && (event.recipient ?? (channel === 'email' ? message.email : message.phone));
      if (reason === undefined || channel === undefined || address === undefined) continue;
      const fault = { kind: addressFaultKindOf(event), reason, since: at };
      await this.suppressions.report(owner, channel, readMailbox(address)?.address ?? address, fault);
    }
  }
}

/** If the provider uses one id for all recipients of a send, the address identifies the message. */
function addressees({ recipient }: CallbackEvent, messages: readonly ReportedMessage[]): readonly ReportedMessage[] {
  if (messages.length < 2 || recipient === undefined) return messages;
  return messages.filter((message) => isToAddressee({ recipient }, message));
}

/** Reports without a recipient are about every address. */
function isToAddressee(
  { recipient }: Pick<CallbackEvent, 'recipient'>,
  { channel, email, phone }: ReportedMessage,
): boolean {
  const own = channel === 'email' ? email : phone;
  if (recipient === undefined || own === undefined) return true;
  return channel === 'email' || channel === 'sms'
    ? addressKey(channel, recipient) === addressKey(channel, own)
    : recipient === own;
}

function addressChannelOf({ channel }: ReportedMessage): AddressChannel | undefined {
  return channel === 'email' || channel === 'sms' ? channel : undefined;
}

/** Equal for every repetition of an event about a message. */
function detailIdOf({ event, message }: Pick<MatchedEvent, 'event' | 'message'>): Types.ObjectId {
  return derivedObjectId(message._id, eventKeyOf(event));
}

function toDetail({ event, message, at }: MatchedEvent): DetailBatch {
  return batchOfMessage(detailIdOf({ event, message }), message, {
    detail: detailTextOf(event),
    status: detailStatusOf(event.status),
    source: 'Webhook',
    webhookStatus: event.status,
    raw: event,
    at,
    ...(message.providerId !== undefined && { providerId: message.providerId }),
  });
}

function toReport({ event, message, at }: MatchedEvent): ReportedStatus[] {
  const status = messageStatusOf(event.status);
  if (status === undefined) return [];
  const response = shorten(event.response);
  return [
    {
      messageId: message._id.toHexString(),
      status,
      at,
      key: eventKeyOf(event),
      ...(response !== undefined && { response }),
    },
  ];
}
