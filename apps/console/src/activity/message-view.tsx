import type { VNode } from 'preact';
import type { Schemas } from '../api/client.js';
import { MailFrame } from '../ui/mail-frame.js';
import { textOfHtml } from '../ui/html-text.js';
import { Engagements } from './engagements.js';
import { providerLabel } from './words.js';

type Message = Schemas['ListedMessageResponse'];

/** A message as it was sent, or as it would have been. */
export function MessageView({ message }: { message: Message }): VNode {
  const { channel, status, subject, title, email, phone, identifier, providerId, errorText } = message;
  const isSent = status !== 'error' && status !== 'warning';
  const facts: [string, string | undefined][] = [
    ['To', [email, phone].filter(Boolean).join(', ') || message.deviceTokens.join(', ')],
    ['Subject', subject],
    ['Title', title],
    ['State', status],
    ['Provider', providerId && providerLabel(providerId)],
    ['Provider message id', identifier],
    ['Read', channel === 'in_app' ? (message.read ? 'Read' : message.seen ? 'Seen' : 'Unseen') : undefined],
    ['Error', errorText],
  ];
  return (
    <details class="message" open={isSent}>
      <summary>{isSent ? 'Sent message' : 'Message that was not sent'}</summary>
      <dl class="facts">
        {facts
          .filter(([, value]) => value)
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
      <Engagements message={message} />
      <Content message={message} />
    </details>
  );
}

function Content({ message: { channel, content, subject } }: { message: Message }): VNode {
  if (channel === 'email' && typeof content === 'string') {
    return (
      <div class="mail-and-text">
        <MailFrame html={content} title={`Email: ${subject ?? ''}`} />
        <div>
          <h3>Text</h3>
          <pre class="raw" tabIndex={0} aria-label="Email text">
            {textOfHtml(content)}
          </pre>
          <details>
            <summary class="note">HTML</summary>
            <pre class="raw" tabIndex={0} aria-label="Email HTML">
              {content}
            </pre>
          </details>
        </div>
      </div>
    );
  }
  return (
    <pre class="raw" tabIndex={0} aria-label="Content">
      {typeof content === 'string' ? content : blocksOf(content)}
    </pre>
  );
}

/** Mails of the block editor are stored as blocks. */
function blocksOf(content: Message['content']): string {
  const blocks = Array.isArray(content) ? content : content === undefined ? [] : [content];
  return blocks
    .map((block) => (typeof block === 'string' ? block : [block.content, block.url].filter(Boolean).join(' ')))
    .join('\n\n');
}
