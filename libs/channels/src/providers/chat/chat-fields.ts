import { parseForeignJson } from '#libs/common';
import type { ChatMessage } from '../../core/messages.js';
import type { AnswerButtons } from '../../core/provider.js';
import { ProviderError } from '../../errors/provider-error.js';

export function incomplete(reason: string): ProviderError {
  return new ProviderError(reason, { code: 'message_incomplete', retryable: false });
}

/** The webhook of the message, otherwise of the subscriber. */
export function givenWebhook({ webhookUrl, subscriberCredentials }: ChatMessage): string | undefined {
  return webhookUrl || subscriberCredentials?.webhookUrl || undefined;
}

/** @throws {ProviderError} without one */
export function webhookOf(message: ChatMessage): string {
  const url = givenWebhook(message);
  if (url !== undefined) return url;
  throw incomplete("The subscriber has no webhook URL for this provider; set it with the subscriber's credentials.");
}

/** The subscriber's room, if a webhook serves several. */
export function roomOf(message: ChatMessage): string | undefined {
  return message.subscriberCredentials?.channel || undefined;
}

/** The id of the room, chat or topic that the provider cannot do without. */
export function neededRoom(message: ChatMessage, what: string): string {
  const room = roomOf(message);
  if (room !== undefined) return room;
  throw incomplete(
    `The subscriber has no ${what} for this provider; set it as channel with the subscriber's credentials.`,
  );
}

const MAX_BLOCKS = 50;

/** @throws {ProviderError} for more blocks than Slack takes in a message */
export function assertBlocks({ customData }: ChatMessage): void {
  const blocks = customData?.['blocks'];
  if (!Array.isArray(blocks) || blocks.length <= MAX_BLOCKS) return;
  throw incomplete(`The message has ${blocks.length} blocks, and Slack takes ${MAX_BLOCKS}.`);
}

/** A value by the severity of the workflow; undefined without one. */
export function bySeverity<T>({ severity = 'none' }: ChatMessage, values: Readonly<Record<string, T>>): T | undefined {
  return Object.hasOwn(values, severity) ? values[severity] : undefined;
}

/** An id of two parts, as `messageIdOf` made it. */
export function partsOf(id: string | undefined): readonly [string, string] | undefined {
  const at = id?.lastIndexOf(':') ?? -1;
  return id === undefined || at < 1 ? undefined : [id.slice(0, at), id.slice(at + 1)];
}

/** Some services name a message only together with its room. */
export function messageIdOf(room: string | undefined, message: string | undefined): string | undefined {
  return room === undefined || message === undefined ? message : `${room}:${message}`;
}

export function phoneOf(message: ChatMessage): string {
  if (message.phone) return message.phone;
  throw incomplete('The subscriber has no phone number; set it on the subscriber.');
}

/** Content that is a JSON object, for providers whose rich formats are part of the template. */
export function contentObject(content: string): Record<string, unknown> | undefined {
  if (!content.trimStart().startsWith('{')) return undefined;
  try {
    const parsed = parseForeignJson(content);
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : undefined;
  } catch {
    return undefined;
  }
}

/** What a message with buttons has in the request, and one that loses them; others nothing. */
export function buttonFields(buttons: AnswerButtons, message: ChatMessage): Record<string, unknown> {
  return message.buttons === undefined ? {} : buttons.fields(message);
}

export function shortLabel(label: string, most: number): string {
  const letters = [...label];
  return letters.length <= most ? label : `${letters.slice(0, most - 1).join('')}…`;
}

/** In rows of so many. */
export function rowsOf<T>(all: readonly T[], most: number): T[][] {
  const rows: T[][] = [];
  for (let from = 0; from < all.length; from += most) rows.push(all.slice(from, from + most));
  return rows;
}
