import type { ChatMessage } from '../../core/messages.js';
import { ProviderError } from '../../errors/provider-error.js';

function incomplete(reason: string): ProviderError {
  return new ProviderError(reason, { code: 'message_incomplete', retryable: false });
}

/** The webhook of the message, otherwise of the subscriber. */
export function webhookOf(message: ChatMessage): string {
  const url = message.webhookUrl || message.subscriberCredentials?.webhookUrl;
  if (url) return url;
  throw incomplete("The subscriber has no webhook URL for this provider; set it with the subscriber's credentials.");
}

/** The subscriber's room, if a webhook serves several. */
export function roomOf(message: ChatMessage): string | undefined {
  return message.subscriberCredentials?.channel || undefined;
}

export function phoneOf(message: ChatMessage): string {
  if (message.phone) return message.phone;
  throw incomplete('The subscriber has no phone number; set it on the subscriber.');
}

/** Content that is a JSON object, for providers whose rich formats are part of the template. */
export function contentObject(content: string): Record<string, unknown> | undefined {
  if (!content.trimStart().startsWith('{')) return undefined;
  try {
    const parsed: unknown = JSON.parse(content);
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : undefined;
  } catch {
    return undefined;
  }
}
