import { browserHtml, safeImage, safeLink } from '#libs/templates';
import { ACTION_TYPES } from '../records/message.enums.js';
import type {
  MessageActor,
  MessageButton,
  MessageContent,
  MessageContentBlock,
  MessageCta,
} from '../records/message.schema.js';

/** Fields that a page inserts, opens or loads. */
interface BrowserFields {
  content?: MessageContent;
  cta?: MessageCta;
  actor?: MessageActor;
  avatar?: string;
  overrides?: Record<string, unknown>;
  deviceTokens?: string[];
  actorSubscriber?: { email?: string; phone?: string };
}

/** Webhook URLs are secrets. */
const FOR_OPERATORS = { directWebhookUrl: undefined, identifier: undefined, errorId: undefined, errorText: undefined };

/**
 * Pages insert `content` as HTML and open links unchecked. Removes unsafe markup and links, buttons that clients cannot
 * render, fields for providers and operators, and other subscribers' addresses. Every route and event for browsers must
 * use this.
 */
export function forBrowsers<Message extends BrowserFields>(messages: readonly Message[]): Promise<Message[]> {
  return Promise.all(messages.map((message) => forBrowser(message)));
}

export async function forBrowser<Message extends BrowserFields>(message: Message): Promise<Message> {
  const { content, cta, actor, avatar, overrides, deviceTokens, actorSubscriber } = message;
  return {
    ...message,
    ...FOR_OPERATORS,
    ...(content !== undefined && { content: await safeContent(content) }),
    ...(cta !== undefined && { cta: safeCta(cta) }),
    ...(actor !== undefined && { actor: safeActor(actor) }),
    ...(avatar !== undefined && { avatar: safeImage(avatar) ?? '' }),
    ...(overrides !== undefined && { overrides: {} }),
    ...(deviceTokens !== undefined && { deviceTokens: [] }),
    ...(actorSubscriber !== undefined && {
      actorSubscriber: { ...actorSubscriber, email: undefined, phone: undefined },
    }),
  };
}

async function safeContent(content: MessageContent): Promise<MessageContent> {
  if (typeof content === 'string') return browserHtml(content);
  return Array.isArray(content) ? Promise.all(content.map(safeBlock)) : safeBlock(content);
}

async function safeBlock({ content, url, ...rest }: MessageContentBlock): Promise<MessageContentBlock> {
  return {
    ...rest,
    ...(content !== undefined && { content: await browserHtml(content) }),
    ...(url !== undefined && { url: safeLink(url) ?? '' }),
  };
}

function safeCta(cta: MessageCta): MessageCta {
  const { data, action } = cta;
  return {
    ...cta,
    ...(data && { data: withSafeUrl(data) }),
    ...(action && { action: { ...action, ...(action.buttons && { buttons: safeButtons(action.buttons) }) } }),
  };
}

/** Clients fail on buttons of other types. */
function safeButtons(buttons: readonly MessageButton[]): MessageButton[] {
  return buttons.filter(({ type }) => ACTION_TYPES.includes(type)).map(withSafeUrl);
}

function withSafeUrl<Link extends { url?: string }>(link: Link): Link {
  return link.url === undefined ? link : { ...link, url: safeLink(link.url) ?? '' };
}

function safeActor(actor: MessageActor): MessageActor {
  const isImage = actor.type === 'system_custom' && typeof actor.data === 'string';
  return isImage ? { ...actor, data: safeImage(actor.data ?? '') ?? '' } : actor;
}
