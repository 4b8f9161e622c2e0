import { SnsCallback } from '../../callbacks/sns-callback.js';
import type { EmailMessage } from '../../core/messages.js';
import type { ChannelProvider } from '../../core/provider.js';
import type { OutboundHttp } from '../../http/outbound-http.types.js';
import { awsErrorCode, awsVerdict } from '../../declarative/aws-verdict.js';
import { signAws } from '../../declarative/aws-signature.js';
import { defineHttpProvider } from '../../declarative/http-provider.js';
import { asciiMailbox, attachmentList, filled, headerList, textData } from './email-fields.js';

/** The only characters of names and values of tags. */
function tagText(text: string): string {
  return text.replace(/[^A-Za-z0-9_.@-]/g, '_').slice(0, 256);
}

function asciiMailboxes({ names }: EmailMessage, addresses: readonly string[] = []): string[] {
  return addresses.map((address) => asciiMailbox(address, names?.[address]));
}

/** Amazon SES, API version 2. Its callbacks come through SNS and need certificates from there. */
export function createSes(http: OutboundHttp): ChannelProvider {
  return defineHttpProvider({
    id: 'ses',
    channel: 'email',
    base: (c) => `https://email.${c.hostLabel('region')}.amazonaws.com`,
    request: ({ message }) => ({
      path: '/v2/email/outbound-emails',
      json: {
        FromEmailAddress: asciiMailbox(message.from, message.senderName),
        Destination: {
          ToAddresses: asciiMailboxes(message, message.to),
          CcAddresses: filled(asciiMailboxes(message, message.cc)),
          BccAddresses: filled(asciiMailboxes(message, message.bcc)),
        },
        ReplyToAddresses: filled(asciiMailboxes(message, [message.replyTo ?? []].flat())),
        Content: {
          Simple: {
            Subject: { Data: message.subject, Charset: 'UTF-8' },
            Body: {
              Html: { Data: message.html, Charset: 'UTF-8' },
              Text: message.text ? { Data: message.text, Charset: 'UTF-8' } : undefined,
            },
            Headers: headerList(message.headers, 'Name', 'Value'),
            Attachments: attachmentList(message, ({ name, mime, base64, disposition, cid }) => ({
              FileName: name,
              ContentType: mime,
              ContentDisposition: disposition.toUpperCase(),
              ContentId: cid,
              ContentTransferEncoding: 'BASE64',
              RawContent: base64,
            })),
          },
        },
        EmailTags: headerList(textData(message.customData), 'Name', 'Value')?.map(({ Name = '', Value = '' }) => ({
          Name: tagText(Name),
          Value: tagText(Value),
        })),
      },
    }),
    sign: (request, c, context) => signAws('ses', request, c, context),
    answer: { id: 'MessageId', error: ['message', 'Message'], verdict: awsVerdict },
    check: () => ({ path: '/v2/email/account' }),
    // Keys that may only send are refused after their signature was verified.
    checkAccepts: (answer) => awsErrorCode(answer) === 'AccessDeniedException',
    callback: new SnsCallback(http),
  });
}
