import { CATCHER_CHANNELS, CATCHERS, type CaughtContent } from '../core/caught.js';
import type { ChatMessage, EmailMessage, OutboundMessage, PushMessage, SmsMessage } from '../core/messages.js';
import type { ChannelProvider } from '../core/provider.js';

const KIB = 1_024;
const MAX_HTML = 256 * KIB;
const MAX_TEXT = 64 * KIB;
const MAX_LINE = KIB;
/** As JSON. */
const MAX_EXTRA = 32 * KIB;
const MAX_ENTRIES = 50;

export const CATCHER_PROVIDERS: readonly ChannelProvider[] = CATCHER_CHANNELS.map((channel) => ({
  id: CATCHERS[channel],
  channel,
  send: (message) =>
    Promise.resolve({
      id: `caught-${message.id}`,
      raw: { caught: true, note: 'A catcher has the message. Nothing was sent.' },
      caught: caughtContent(message),
    }),
}));

export function caughtContent(message: OutboundMessage): CaughtContent {
  const keep = new Keeper();
  const content = fieldsOf(message, keep);
  return keep.cut.length > 0 ? { ...content, cut: keep.cut } : content;
}

function fieldsOf(message: OutboundMessage, keep: Keeper): CaughtContent {
  switch (message.channel) {
    case 'email':
      return emailFields(message, keep);
    case 'sms':
      return smsFields(message, keep);
    case 'chat':
      return chatFields(message, keep);
    case 'push':
      return pushFields(message, keep);
  }
}

function emailFields(message: EmailMessage, keep: Keeper): CaughtContent {
  const { to, from, senderName, cc, bcc, replyTo, subject, html, text, headers, attachments } = message;
  const { customData, ipPoolName, overrides } = message;
  return {
    to: keep.list('to', to),
    from: keep.text('from', from, MAX_LINE),
    subject: keep.text('subject', subject, MAX_TEXT),
    html: keep.text('html', html, MAX_HTML),
    ...(text !== undefined && { text: keep.text('text', text, MAX_TEXT) }),
    ...(senderName !== undefined && { senderName: keep.text('senderName', senderName, MAX_LINE) }),
    ...(cc && { cc: keep.list('cc', cc) }),
    ...(bcc && { bcc: keep.list('bcc', bcc) }),
    ...(replyTo !== undefined && { replyTo: keep.text('replyTo', replyTo, MAX_LINE) }),
    ...(headers && { headers: keep.texts('headers', headers) }),
    ...(attachments && {
      attachments: keep.first('attachments', attachments).map(({ name, mime, content, cid, disposition }) => ({
        name: keep.text('attachments', name, MAX_LINE),
        mime: keep.text('attachments', mime, MAX_LINE),
        bytes: content.length,
        ...(cid !== undefined && { cid: keep.text('attachments', cid, MAX_LINE) }),
        ...(disposition !== undefined && { disposition }),
      })),
    }),
    ...keep.extra({ ...customData, ...(ipPoolName !== undefined && { ipPoolName }), ...overrides }),
  };
}

function smsFields({ to, from, content, customData }: SmsMessage, keep: Keeper): CaughtContent {
  return {
    to: keep.list('to', [to]),
    ...(from !== undefined && { from: keep.text('from', from, MAX_LINE) }),
    text: keep.text('text', content, MAX_TEXT),
    ...keep.extra(customData),
  };
}

function chatFields(message: ChatMessage, keep: Keeper): CaughtContent {
  const { content, phone, webhookUrl, subscriberCredentials, customData, rendered, replaces, replyTo } = message;
  const address = subscriberCredentials?.channel ?? phone ?? hostOf(webhookUrl);
  return {
    to: keep.list('to', address === undefined ? [] : [address]),
    text: keep.text('text', content, MAX_TEXT),
    ...keep.extra({
      ...customData,
      ...(rendered && { rendered }),
      ...(replaces !== undefined && { replaces }),
      ...(replyTo !== undefined && { replyTo }),
    }),
  };
}

function pushFields({ target, title, content, overrides, replaces }: PushMessage, keep: Keeper): CaughtContent {
  return {
    to: keep.list('to', target),
    title: keep.text('title', title, MAX_TEXT),
    text: keep.text('text', content, MAX_TEXT),
    ...keep.extra({ ...overrides, ...(replaces !== undefined && { replaces }) }),
  };
}

/** Webhook URLs are secrets: the host says enough. */
function hostOf(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).host : undefined;
}

/** Notes what it had to shorten. Sizes are bytes. */
class Keeper {
  readonly cut: string[] = [];

  text(field: string, text: string, most: number): string {
    if (Buffer.byteLength(text) <= most) return text;
    this.note(field);
    // A character that is cut in two becomes a replacement character of three bytes.
    return Buffer.from(text).subarray(0, most).toString('utf8').replace(/�$/, '');
  }

  first<T>(field: string, entries: readonly T[]): readonly T[] {
    if (entries.length > MAX_ENTRIES) this.note(field);
    return entries.slice(0, MAX_ENTRIES);
  }

  list(field: string, texts: readonly string[]): string[] {
    return this.first(field, texts).map((text) => this.text(field, text, MAX_LINE));
  }

  texts(field: string, texts: Readonly<Record<string, string>>): Record<string, string> {
    const kept = this.first(field, Object.entries(texts));
    return Object.fromEntries(
      kept.map(([name, text]) => [this.text(field, name, MAX_LINE), this.text(field, text, MAX_LINE)]),
    );
  }

  extra(extra: Readonly<Record<string, unknown>> = {}): Pick<CaughtContent, 'extra'> {
    if (Object.keys(extra).length === 0) return {};
    if (Buffer.byteLength(JSON.stringify(extra)) <= MAX_EXTRA) return { extra };
    this.note('extra');
    return {};
  }

  private note(field: string): void {
    if (!this.cut.includes(field)) this.cut.push(field);
  }
}
