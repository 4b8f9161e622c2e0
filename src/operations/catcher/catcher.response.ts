import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { CATCHER_CHANNELS, type CatcherChannel, type Channel, CHANNELS } from '#libs/channels';
import { shown } from '#libs/http-kit';
import type { Message } from '../../engine/messages/records/index.js';
import { MessageCtaResponse, showMessageCta } from '../../engine/messages/views/index.js';
import type { SubscriberSummary } from '../../audience/subscribers/index.js';

/** Whether a channel is caught. */
export class CatcherChannelResponse {
  /** The channel. */
  @ApiProperty({ enum: CATCHER_CHANNELS, example: 'email' })
  channel: CatcherChannel;
  /** Whether its messages are kept instead of sent. */
  isOn: boolean;
  /** Its catcher; absent until there is one. @example 64f0c1a2b3c4d5e6f7a8b9c0 */
  integrationId?: string;
}

/** Whether messages of the environment are kept instead of sent. */
export class CatcherResponse {
  /** True if no message is sent: every channel is caught. */
  isOn: boolean;
  /** False in an environment of production. */
  isAllowed: boolean;
  /** Email, SMS, chat and push. In-app messages are not sent; they are listed while any channel is caught. */
  channels: CatcherChannelResponse[];
}

/** A file of a caught mail, without its content. */
export class CaughtAttachmentResponse {
  /** Name of the file. @example invoice.pdf */
  name: string;
  /** Media type. @example application/pdf */
  mime: string;
  /** Size. @example 48213 */
  bytes: number;
}

/** A caught message as the list has it. */
export class ListedCaughtMessageResponse {
  /** Id of the message. @example 64f0c1a2b3c4d5e6f7a8b9c0 */
  _id: string;
  /** Equal to `_id`. */
  id: string;
  _notificationId: string;
  /** Record id of the workflow. */
  _templateId: string;
  /** Trigger identifier of the workflow. @example order-shipped */
  templateIdentifier?: string;
  transactionId: string;
  /** Record id of the subscriber. */
  _subscriberId: string;
  /** Your identifier of the subscriber; absent if it has been deleted. @example ada */
  subscriberId?: string;
  /** Name of the subscriber; absent if it has none, or has been deleted. @example Ada Lovelace */
  subscriberName?: string;
  /** Channel of the message. */
  @ApiProperty({ enum: CHANNELS, example: 'email' })
  channel: Channel;
  /** Where it would have gone: addresses, phone numbers or device tokens. Empty for in-app messages, and where there is no address. */
  to: string[];
  /** Subject, title, or the beginning of the text. @example Your order is on its way */
  summary: string;
  createdAt: Date;
}

/** A message as the recipient would have got it. */
export class CaughtMessageResponse extends ListedCaughtMessageResponse {
  /** Provider that would have sent it; absent if no other integration would have, and for in-app messages. @example sendgrid */
  insteadOf?: string;
  /** Sender address, or phone number. @example shop@example.com */
  from?: string;
  /** Name of the sender. @example Shop */
  senderName?: string;
  /** Further recipients of a mail. */
  cc?: string[];
  /** Hidden recipients of a mail. */
  bcc?: string[];
  /** Where answers to a mail go. @example support@example.com */
  replyTo?: string;
  /** Subject of a mail. @example Your order is on its way */
  subject?: string;
  /** Title of a push or in-app message. */
  title?: string;
  /** HTML of a mail, with layout and inlined styles. Show it only in a sandbox. */
  html?: string;
  /** Text of the message, or of a mail. In-app texts may have HTML, of which clients show a few elements. */
  text?: string;
  /** Link and buttons of an in-app message. */
  cta?: MessageCtaResponse;
  /** Headers of a mail. */
  @ApiPropertyOptional({ type: 'object', additionalProperties: { type: 'string' } })
  headers?: Record<string, string>;
  /** Files of a mail. */
  attachments?: CaughtAttachmentResponse[];
  /** What the provider would have got beyond that: blocks of a chat message, sound and badge of a push message, custom data. */
  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  extra?: Record<string, unknown>;
  /** Fields that were too large to be kept whole. @example ["html"] */
  @ApiPropertyOptional({ type: [String] })
  cut?: string[];
}

const SUMMARY_LENGTH = 160;

export function showListedCaught(row: Message, subscriber: SubscriberSummary | undefined): ListedCaughtMessageResponse {
  return shown(ListedCaughtMessageResponse, listedFields(row, subscriber));
}

export function showCaught(row: Message, subscriber: SubscriberSummary | undefined): CaughtMessageResponse {
  const { caught = {}, content } = row;
  const { insteadOf, from, senderName, cc, bcc, replyTo, html, headers, attachments, extra, cut } = caught;
  const subject = caught.subject ?? row.subject;
  const title = caught.title ?? row.title;
  const text = caught.text ?? (row.channel === 'in_app' && typeof content === 'string' ? content : undefined);
  return shown(CaughtMessageResponse, {
    ...listedFields(row, subscriber),
    insteadOf,
    from,
    senderName,
    ...(cc && { cc: [...cc] }),
    ...(bcc && { bcc: [...bcc] }),
    replyTo,
    subject,
    title,
    html,
    text,
    ...(row.cta && { cta: showMessageCta(row.cta) }),
    ...(headers && { headers: { ...headers } }),
    ...(attachments && {
      attachments: attachments.map(({ name, mime, bytes }) => shown(CaughtAttachmentResponse, { name, mime, bytes })),
    }),
    ...(extra && { extra: { ...extra } }),
    ...(cut && { cut: [...cut] }),
  });
}

function listedFields(row: Message, subscriber: SubscriberSummary | undefined): ListedCaughtMessageResponse {
  const id = row._id.toHexString();
  const { subscriberId, firstName, lastName } = subscriber ?? {};
  const name = [firstName, lastName].filter(Boolean).join(' ');
  return {
    _id: id,
    id,
    _notificationId: row._notificationId.toHexString(),
    _templateId: row._templateId.toHexString(),
    templateIdentifier: row.templateIdentifier,
    transactionId: row.transactionId,
    _subscriberId: row._subscriberId.toHexString(),
    subscriberId,
    ...(name !== '' && { subscriberName: name }),
    channel: row.channel,
    to: [...(row.caught?.to ?? [])],
    summary: summaryOf(row),
    createdAt: row.createdAt,
  };
}

function summaryOf({ channel, subject, title, content }: Message): string {
  const text = channel === 'email' ? subject : title || (typeof content === 'string' ? content : '');
  return (text ?? '').slice(0, SUMMARY_LENGTH);
}
