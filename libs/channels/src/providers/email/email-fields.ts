import { type AttachmentDisposition, type EmailAttachment, type EmailMessage, isInline } from '../../core/messages.js';
import type { DeadAddress } from '../../errors/provider-error.js';
import type { FormPart } from '../../declarative/http-call.js';

/** `"Name" <address>`, or the address alone. */
export function mailbox(address: string, name?: string): string {
  if (name === undefined || name === '') return address;
  return `"${name.replace(/[\r\n]+/g, ' ').replace(/(["\\])/g, '\\$1')}" <${address}>`;
}

/** Bytes per encoded word, to keep words in base64 below the limit of 75 characters. */
const WORD_BYTES = 42;

/** For APIs that copy the mailbox into the mail: names beyond ASCII become encoded words (RFC 2047). */
export function asciiMailbox(address: string, name?: string): string {
  if (name === undefined || /^[\x20-\x7e\r\n]*$/.test(name)) return mailbox(address, name);
  const words: Buffer[] = [Buffer.alloc(0)];
  for (const character of name.replace(/[\r\n]+/g, ' ')) {
    const bytes = Buffer.from(character);
    const last = words.at(-1) ?? bytes;
    if (last.length + bytes.length > WORD_BYTES) words.push(bytes);
    else words[words.length - 1] = Buffer.concat([last, bytes]);
  }
  return `${words.map((word) => `=?UTF-8?B?${word.toString('base64')}?=`).join(' ')} <${address}>`;
}

type Recipients = Pick<EmailMessage, 'to' | 'cc' | 'bcc' | 'names'>;

/** `[{ email, name }]`, as in most email APIs; undefined without addresses. */
export function addressList(
  { names, ...lists }: Recipients,
  list: 'to' | 'cc' | 'bcc',
  [email, name]: readonly [email: string, name: string] = ['email', 'name'],
): Record<string, string>[] | undefined {
  return filled(
    (lists[list] ?? []).map((address) => ({
      [email]: address,
      ...(names?.[address] !== undefined && { [name]: names[address] }),
    })),
  );
}

/** The sender, in the same form. Providers refuse an empty name. */
export function sender(
  { from, senderName }: EmailMessage,
  [email, name]: readonly [email: string, name: string] = ['email', 'name'],
): Record<string, string> {
  return { [email]: from, ...(senderName && { [name]: senderName }) };
}

/** The address that answers go to, in the same form. */
export function replyTo(
  { replyTo: address, names }: EmailMessage,
  [email, name]: readonly [email: string, name: string] = ['email', 'name'],
): Record<string, string> | undefined {
  if (address === undefined) return undefined;
  return { [email]: address, ...(names?.[address] !== undefined && { [name]: names[address] }) };
}

/** Mailboxes with their names. */
export function mailboxes({ names }: EmailMessage, addresses: readonly string[] = []): string[] {
  return addresses.map((address) => mailbox(address, names?.[address]));
}

export function replyMailbox({ replyTo: address, names }: EmailMessage): string | undefined {
  return address === undefined ? undefined : mailbox(address, names?.[address]);
}

/** Separated by commas; undefined without addresses. */
export function joined(addresses: readonly string[]): string | undefined {
  return addresses.length > 0 ? addresses.join(', ') : undefined;
}

/** The recipients that the words of a provider name. */
export function namedIn(reason: string, targets: readonly string[]): DeadAddress[] {
  const words = reason.toLowerCase().split(/[\s,;<>"']+/);
  // A sentence may end with an address.
  const named = new Set([...words, ...words.map((word) => (word.endsWith('.') ? word.slice(0, -1) : word))]);
  return targets.filter((address) => named.has(address.toLowerCase())).map((address) => ({ address, reason }));
}

/** Undefined for an empty list or object, so that JSON omits the field. */
export function filled<T extends object>(value: T | undefined): T | undefined {
  return value !== undefined && Object.keys(value).length > 0 ? value : undefined;
}

/** Custom data with values as text: APIs for metadata accept strings only. */
export function textData(data: EmailMessage['customData']): Record<string, string> | undefined {
  const entries = Object.entries(data ?? {}).map(([key, value]) => [key, asText(value)] as const);
  return filled(Object.fromEntries(entries));
}

export function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** Pairs, under the field names of an API. */
export function headerList(
  headers: EmailMessage['headers'],
  nameKey: string,
  valueKey: string,
): Record<string, string>[] | undefined {
  return filled(Object.entries(headers ?? {}).map(([name, value]) => ({ [nameKey]: name, [valueKey]: value })));
}

export interface SentFile {
  readonly name: string;
  readonly mime: string;
  readonly base64: string;
  readonly disposition: AttachmentDisposition;
  /** Of a file that is shown inside the mail: its content id, else its name. */
  readonly cid?: string;
}

/** In the format of an API, with contents in base64; undefined without files. @param kind only those, default: all */
export function attachmentList<T>(
  { attachments = [] }: EmailMessage,
  shape: (file: SentFile) => T,
  kind?: AttachmentDisposition,
): T[] | undefined {
  const dispositionOf = (file: EmailAttachment): AttachmentDisposition => (isInline(file) ? 'inline' : 'attachment');
  const files = attachments.filter((file) => kind === undefined || dispositionOf(file) === kind);
  return filled(
    files.map((file) => {
      const { name, mime, content, cid = name } = file;
      const base64 = content.toString('base64');
      return shape({ name, mime, base64, disposition: dispositionOf(file), ...(isInline(file) && { cid }) });
    }),
  );
}

/** Parts of a form. APIs of this kind name a file that is shown inside the mail by its file name. */
export function fileParts(
  { attachments = [] }: EmailMessage,
  names: Readonly<Record<AttachmentDisposition, string>>,
): FormPart[] {
  return attachments.map(({ name, mime, content, ...file }) => ({
    name: isInline(file) ? names.inline : names.attachment,
    value: content,
    filename: (isInline(file) && file.cid) || name,
    contentType: mime,
  }));
}
