import type { VNode } from 'preact';
import type { Schemas } from '../api/client.js';
import { MailFrame } from './mail-frame.js';
import { MailWindow } from './mail-window.js';
import { segmentsOf } from './sms-segments.js';

/** A rendered message, previewed or caught. */
export interface FramedMessage {
  readonly type: string;
  readonly subject?: string;
  readonly preheader?: string;
  readonly senderName?: string;
  readonly title?: string;
  readonly content?: string;
  readonly text?: string;
  readonly cta?: {
    readonly data?: { readonly url?: string };
    readonly action?: { readonly buttons?: readonly Pick<Schemas['MessageButtonResponse'], 'type' | 'content'>[] };
  };
}

/** A message as the person sees it who gets it. */
export function ChannelFrame({ message, who }: { message: FramedMessage; who: string }): VNode | null {
  const { type, content } = message;
  if (content === undefined) return null;
  if (type === 'email') return <MailView message={message} />;
  if (type === 'in_app') return <InboxView message={message} />;
  if (type === 'push') return <PushView title={message.title ?? ''} content={content} />;
  if (type === 'sms') return <SmsView content={content} />;
  if (type === 'http_request') return <RequestView content={content} />;
  return <ChatView content={content} who={who} />;
}

function RequestView({ content }: { content: string }): VNode {
  return (
    <pre class="raw" tabIndex={0} aria-label="Request">
      {content}
    </pre>
  );
}

function MailView({ message }: { message: FramedMessage }): VNode {
  const { subject = '', preheader, senderName, content = '', text } = message;
  return (
    <MailWindow html={content} title={subject || 'Message'} text={text}>
      <div class="mail-line">
        <strong>{senderName || 'Sender of the integration'}</strong>
        <span class="mail-subject">{subject || '(no subject)'}</span>
        {preheader && <span class="soft">{preheader}</span>}
      </div>
    </MailWindow>
  );
}

function InboxView({ message }: { message: FramedMessage }): VNode {
  const { title, content = '', cta } = message;
  const url = cta?.data?.url;
  const buttons = cta?.action?.buttons ?? [];
  return (
    <div class="frame-inbox">
      <span class="inbox-dot" aria-hidden="true" />
      <div>
        {title && <p class="inbox-title">{title}</p>}
        <MailFrame html={inboxHtml(content)} title="In-app message" />
        {buttons.length > 0 && (
          <p class="button-line">
            {buttons.map(({ type, content: label }) => (
              <span key={type} class={type === 'primary' ? 'shown-button primary' : 'shown-button'}>
                {label}
              </span>
            ))}
          </p>
        )}
        <p class="note">
          now{url && ' · opens '}
          {url && <code>{url}</code>}
        </p>
      </div>
    </div>
  );
}

/** In the letters of an inbox. The policy of the page would report a style, which the frame does not need. */
function inboxHtml(content: string): string {
  return `<font face="system-ui, sans-serif" size="2">${content}</font>`;
}

function PushView({ title, content }: { title: string; content: string }): VNode {
  return (
    <div class="frame-phone">
      <div class="push-card">
        <span class="push-icon" aria-hidden="true" />
        <div>
          <p class="push-head">
            <strong>{title || '(no title)'}</strong> <span class="soft">now</span>
          </p>
          <p class="shown-words">{content}</p>
        </div>
      </div>
    </div>
  );
}

function SmsView({ content }: { content: string }): VNode {
  const { encoding, length, segments, left, because } = segmentsOf(content);
  return (
    <>
      <div class="frame-phone">
        <p class="bubble shown-words">{content}</p>
      </div>
      <p class="note" aria-live="polite">
        {length.toLocaleString('en')} characters, {segments} {segments === 1 ? 'segment' : 'segments'} ({encoding}),{' '}
        {left} left in the last one.
        {because !== undefined && (
          <>
            {' '}
            The character <code>{because}</code> makes it a Unicode message, whose segments hold 70 characters instead
            of 160.
          </>
        )}
      </p>
    </>
  );
}

function ChatView({ content, who }: { content: string; who: string }): VNode {
  return (
    <div class="frame-chat">
      <span class="chat-icon" aria-hidden="true" />
      <div>
        <p>
          <strong>Your app</strong> <span class="soft">to {who}, now</span>
        </p>
        <p class="shown-words">{content}</p>
      </div>
    </div>
  );
}
