import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { type Channel, CHANNELS } from '#libs/channels';
import { apiOf, shown } from '#libs/http-kit';
import { stepCta } from '#libs/templates';
import type { ComposedMessage, RehearsedStep } from '../delivery/index.js';

/** A message that would be sent, as the provider would get it. Credentials and device tokens are not shown. */
export class DryRunMessageResponse {
  /** Channel of the message. */
  @ApiProperty({ enum: CHANNELS, example: 'email' })
  channel: Channel;
  /** Provider that would be called; absent for in-app messages. @example sendgrid */
  providerId?: string;
  /** Record id of the integration; absent for in-app messages. */
  integrationId?: string;
  /** Email addresses or phone numbers. @example ["ada@example.com"] */
  to?: string[];
  /** Recipients of a copy. @example ["grace@example.com"] */
  cc?: string[];
  /** Recipients of a blind copy. */
  bcc?: string[];
  /** Address for replies. */
  replyTo?: string;
  /** Headers of an email beside the usual ones, such as List-Unsubscribe. */
  @ApiPropertyOptional({ type: 'object', additionalProperties: { type: 'string' } })
  headers?: Record<string, string>;
  /** Address or number of the sender. @example shop@example.com */
  from?: string;
  /** Name of the sender. @example Shop */
  senderName?: string;
  /** Subject. @example Your order 4711 */
  subject?: string;
  /** Title. @example On its way */
  title?: string;
  /** HTML for emails and in-app messages, plain text for the other channels. */
  content: string;
  /** The plain text of an email. */
  text?: string;
  /** Call to action of an in-app message. */
  @ApiPropertyOptional(apiOf(stepCta))
  cta?: object;
  /**
   * Number of devices of a push message.
   * @example 1
   */
  devices?: number;
}

/** What providers would get, and the messages that are delivered by being stored. */
export function showDryRunMessages({ witness, messages }: RehearsedStep): DryRunMessageResponse[] {
  const inFeed = messages.filter(({ channel }) => channel === 'in_app');
  return [
    ...inFeed.map(({ channel, subject, title, content, cta }) =>
      shown(DryRunMessageResponse, {
        channel,
        subject,
        title,
        content: typeof content === 'string' ? content : '',
        ...(cta && { cta }),
      }),
    ),
    ...witness.composed.map(showComposed),
  ];
}

function showComposed({ integration, message }: ComposedMessage): DryRunMessageResponse {
  const { id: integrationId, providerId } = integration;
  return shown(DryRunMessageResponse, { channel: message.channel, providerId, integrationId, ...fieldsOf(message) });
}

type Fields = Omit<DryRunMessageResponse, 'channel' | 'providerId' | 'integrationId'>;

function fieldsOf(message: ComposedMessage['message']): Fields {
  switch (message.channel) {
    case 'email': {
      const { to, cc, bcc, replyTo, headers, from, senderName, subject, html, text } = message;
      return {
        to: [...to],
        ...(cc && { cc: [...cc] }),
        ...(bcc && { bcc: [...bcc] }),
        replyTo,
        ...(headers && { headers: { ...headers } }),
        from,
        senderName,
        subject,
        content: html,
        text,
      };
    }
    case 'sms': {
      const { to, from, content } = message;
      return { to: [to], from, content };
    }
    case 'chat':
      return { ...(message.phone !== undefined && { to: [message.phone] }), content: message.content };
    case 'push':
      return { title: message.title, content: message.content, devices: message.target.length };
  }
}
