import type { SmsMessage } from '../../core/messages.js';
import type { CredentialReader } from '../../declarative/credential-reader.js';
import { asText } from '../email/email-fields.js';

/** The sender: of the message, else of the integration; `undefined` when neither names one. */
export function senderOf(message: SmsMessage, c: CredentialReader): string | undefined {
  return message.from || c('from') || undefined;
}

/** A phone number as digits only, for APIs that refuse the plus sign. */
export function digits(phone: string): string {
  return phone.replace(/\D/g, '');
}

/** Custom data as form fields. */
export function customFields(message: SmsMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(message.customData ?? {}).map(([key, value]) => [key, asText(value)]));
}

const GSM_TEXT = /^[@£$¥èéùìòÇ\n\rØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà^{}\\[~\]|€]*$/;

/** True when the text needs the Unicode encoding because a character is not in the GSM 03.38 alphabet. */
export function needsUnicode(text: string): boolean {
  return !GSM_TEXT.test(text);
}
