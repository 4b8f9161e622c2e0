import type { SmsMessage } from '../../core/messages.js';
import type { CredentialReader } from '../../declarative/credential-reader.js';
import { textAt } from '../../declarative/json-path.js';
import { asText } from '../email/email-fields.js';

/** The sender of the message, otherwise of the integration. */
export function senderOf(message: SmsMessage, c: CredentialReader): string | undefined {
  return message.from || c('from') || undefined;
}

/** Digits only, for APIs that reject the plus sign. */
export function digits(phone: string): string {
  return phone.replace(/\D/g, '');
}

/**
 * Custom data for the body of a request.
 * @param recipients the fields that say who gets the message, whatever their case: these are Herald's
 */
export function customData({ customData = {} }: SmsMessage, ...recipients: readonly string[]): Record<string, unknown> {
  const taken = new Set(recipients.map((key) => key.toLowerCase()));
  return Object.fromEntries(Object.entries(customData).filter(([key]) => !taken.has(key.toLowerCase())));
}

/**
 * The ids under which India's registry (DLT) knows the sender and the text, from `overrides.<provider>.dlt`. Its carriers drop what has none.
 * @param names the fields of the provider
 */
export function dltFields(
  { customData = {} }: SmsMessage,
  names: Readonly<Record<'entityId' | 'templateId', string>>,
): Record<string, string> {
  const fields = Object.entries(names).map(([key, name]) => [name, textAt(customData, `dlt.${key}`)] as const);
  return Object.fromEntries(fields.filter((field): field is [string, string] => field[1] !== undefined));
}

/** As `customData`, for forms. */
export function customFields(message: SmsMessage, ...recipients: readonly string[]): Record<string, string> {
  const entries = Object.entries(customData(message, ...recipients));
  return Object.fromEntries(entries.map(([key, value]) => [key, asText(value)]));
}

const GSM_TEXT = /^[@£$¥èéùìòÇ\n\rØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà^{}\\[~\]|€]*$/;

/** Whether a character is not in the GSM 03.38 alphabet. */
export function needsUnicode(text: string): boolean {
  return !GSM_TEXT.test(text);
}
