import type { SmsMessage } from '../../core/messages.js';
import type { CredentialReader } from '../../declarative/credential-reader.js';
import { asText } from '../email/email-fields.js';

/** The sender of the message, otherwise of the integration. */
export function senderOf(message: SmsMessage, c: CredentialReader): string | undefined {
  return message.from || c('from') || undefined;
}

/** Digits only, for APIs that reject the plus sign. */
export function digits(phone: string): string {
  return phone.replace(/\D/g, '');
}

export function customFields(message: SmsMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(message.customData ?? {}).map(([key, value]) => [key, asText(value)]));
}

const GSM_TEXT = /^[@£$¥èéùìòÇ\n\rØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà^{}\\[~\]|€]*$/;

/** Whether a character is not in the GSM 03.38 alphabet. */
export function needsUnicode(text: string): boolean {
  return !GSM_TEXT.test(text);
}
