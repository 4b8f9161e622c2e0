import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import type { CallbackEvent } from '#libs/channels';
import { Clock, EventBus } from '#libs/common';
import { derivedObjectId } from '#libs/persistence';
import { type DetailBatch, ExecutionDetailsService } from '../execution-details/index.js';
import type { CallbackIntegration } from '../integrations/index.js';
import { MessageReports, type ReportedMessage } from '../messages/index.js';
import { type AddressChannel, SubscribersService } from '../subscribers/index.js';
import {
  addressFaultOf,
  detailStatusOf,
  detailTextOf,
  eventKeyOf,
  messageStatusOf,
  shorten,
} from './callback-status.js';
import { MessagesReported, type ReportedStatus } from './provider-callbacks.events.js';

/** A provider can report before its own answer to the sending is stored: then one look later finds the message. */
const LOOK_AGAIN_MS = 1_000;

/** An event and the message that it is about. */
interface MatchedEvent {
  readonly event: CallbackEvent;
  readonly message: ReportedMessage;
  readonly at: Date;
}

/**
 * What a provider's events do. Each part can be repeated without harm: providers send again what was not answered, and
 * then everything that an interruption left out is made up for. What was carried out once is not carried out again.
 */
@Injectable()
export class CallbackEffects {
  constructor(
    private readonly reports: MessageReports,
    private readonly details: ExecutionDetailsService,
    private readonly subscribers: SubscribersService,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /** @returns how many of the events are about messages that are known */
  async apply(integration: CallbackIntegration, events: readonly CallbackEvent[]): Promise<number> {
    const now = this.clock.now();
    const all = await this.match(integration, events, now);
    const matched = await this.newOnes(integration, all);
    // What becomes of a copy is worth a detail, but is not what becomes of the message.
    const own = matched.filter(({ event, message }) => message.channel !== 'email' || isToAddressee(event, message));
    await this.reports.apply(
      own.flatMap(({ event, message }) => {
        const status = messageStatusOf(event.status);
        const errorText = shorten(event.response);
        return status === undefined ? [] : [{ message, status, ...(errorText !== undefined && { errorText }) }];
      }),
      now,
    );
    await this.markAddresses(integration, own);
    const reported = own.flatMap(toReport);
    if (reported.length > 0) await this.events.publish(new MessagesReported(integration.owner, reported));
    // Last, because the detail says that all of the above was done.
    await this.details.append(matched.map(toDetail));
    return new Set(all.map(({ event }) => event)).size;
  }

  /** Without those that were carried out before: telling them again, at whatever time, changes nothing. */
  private async newOnes({ owner }: CallbackIntegration, matched: readonly MatchedEvent[]): Promise<MatchedEvent[]> {
    if (matched.length === 0) return [];
    const done = await this.details.knownOf(owner.environmentId, matched.map(detailIdOf));
    return matched.filter((one) => !done.has(detailIdOf(one).toHexString()));
  }

  private async match(
    { owner, providerId }: CallbackIntegration,
    events: readonly CallbackEvent[],
    now: Date,
  ): Promise<MatchedEvent[]> {
    const identifiers = events.map(({ messageIdentifier }) => messageIdentifier);
    const messages = await this.reports.findByIdentifiers(owner, providerId, identifiers);
    const missing = identifiers.filter((identifier) => !messages.has(identifier));
    if (missing.length > 0) {
      await pause(LOOK_AGAIN_MS);
      const late = await this.reports.findByIdentifiers(owner, providerId, missing);
      for (const [identifier, found] of late) messages.set(identifier, found);
    }
    return events.flatMap((event) =>
      addressees(event, messages.get(event.messageIdentifier) ?? []).map((message) => ({
        event,
        message,
        at: event.at ?? now,
      })),
    );
  }

  private async markAddresses({ owner }: CallbackIntegration, matched: readonly MatchedEvent[]): Promise<void> {
    const bad = matched.flatMap(({ event, message, at }) => {
      const reason = addressFaultOf(event);
      const channel = addressChannelOf(message);
      const address = channel && ((channel === 'email' ? message.email : message.phone) ?? event.recipient);
      return reason === undefined || channel === undefined || address === undefined || !isToAddressee(event, message)
        ? []
        : [{ id: message._subscriberId.toHexString(), channel, address, reason, since: at }];
    });
    if (bad.length === 0) return;
    const known = await this.subscribers.findByIds(owner, [...new Set(bad.map(({ id }) => id))]);
    for (const { id, channel, ...state } of bad) {
      const subscriber = known.get(id);
      // What is marked already keeps its first reason.
      if (subscriber === undefined || subscriber.badAddresses[channel] !== undefined) continue;
      await this.subscribers.setAddressState(owner, subscriber.subscriberId, channel, state);
    }
  }
}

/** Where one sending went to several recipients, the provider gives them one id: then the address tells them apart. */
function addressees({ recipient }: CallbackEvent, messages: readonly ReportedMessage[]): readonly ReportedMessage[] {
  if (messages.length < 2 || recipient === undefined) return messages;
  return messages.filter((message) => isToAddressee({ recipient }, message));
}

/** Whether a report is about the address that the message names; one without a recipient can be about no other. */
function isToAddressee(
  { recipient }: Pick<CallbackEvent, 'recipient'>,
  { channel, email, phone }: ReportedMessage,
): boolean {
  const own = channel === 'email' ? email : phone;
  if (recipient === undefined || own === undefined) return true;
  return channel === 'email' ? bareAddress(recipient) === bareAddress(own) : digits(recipient) === digits(own);
}

function bareAddress(mailbox: string): string {
  return (/<([^<>]+)>\s*$/.exec(mailbox)?.[1] ?? mailbox).trim().toLowerCase();
}

function digits(phone: string): string {
  return phone.replace(/\D/g, '');
}

function addressChannelOf({ channel }: ReportedMessage): AddressChannel | undefined {
  return channel === 'email' || channel === 'sms' ? channel : undefined;
}

/** The same for the same event about the same message. */
function detailIdOf({ event, message }: Pick<MatchedEvent, 'event' | 'message'>): Types.ObjectId {
  return derivedObjectId(message._id, eventKeyOf(event));
}

function toDetail({ event, message, at }: MatchedEvent): DetailBatch {
  return {
    id: detailIdOf({ event, message }),
    organizationId: message._organizationId,
    environmentId: message._environmentId,
    notificationId: message._notificationId,
    workflowId: message._templateId,
    subscriberId: message._subscriberId,
    transactionId: message.transactionId,
    entries: [
      {
        jobId: message._jobId,
        messageId: message._id,
        channel: message.channel,
        detail: detailTextOf(event),
        status: detailStatusOf(event.status),
        source: 'Webhook',
        webhookStatus: event.status,
        raw: event,
        at,
        ...(message.providerId !== undefined && { providerId: message.providerId }),
      },
    ],
  };
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
