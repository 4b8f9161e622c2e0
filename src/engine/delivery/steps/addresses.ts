/** Longer texts are no addresses; a mailbox has a name as well. */
const MAX_ADDRESS = 320;
const MAX_MAILBOX = 1_000;
const MAX_PHONE = 100;

/** Neither lists nor groups, comments or quotes can be written with what is left. */
const ADDRESS = /^[^\s@,;:<>()[\]"\\]+@[^\s@,;:<>()[\]"\\]+$/;
const CONTROL = /\p{Cc}/u;
const NAME = /^[^@,;:<>()[\]"\\]*$/;
const QUOTED_NAME = /^"(?:[^"\\]|\\.)*"$/;
/** A number, or a number behind the name of a network (`whatsapp:+15550100`); a second plus sign would begin another one. */
const PHONE = /^(?:[a-z]{2,20}:)?\+?[^+,;|<>&\s][^+,;|<>&]*$/i;

export interface Mailbox {
  readonly address: string;
  readonly name?: string;
}

/**
 * Reads one mailbox: `ada@example.com`, `Ada <ada@example.com>` or `"Lovelace, Ada" <ada@example.com>`.
 * @returns undefined for everything else, and above all for what a mail server would take for several addresses
 */
export function readMailbox(text: string): Mailbox | undefined {
  const trimmed = text.trim();
  if (trimmed.length > MAX_MAILBOX || CONTROL.test(trimmed)) return undefined;
  if (!trimmed.endsWith('>')) return isAddress(trimmed) ? { address: trimmed } : undefined;
  const open = trimmed.lastIndexOf('<');
  const address = trimmed.slice(open + 1, -1).trim();
  const before = trimmed.slice(0, Math.max(open, 0)).trim();
  if (open < 0 || !isAddress(address)) return undefined;
  if (QUOTED_NAME.test(before)) return named(address, before.slice(1, -1).replace(/\\(.)/g, '$1'));
  return NAME.test(before) ? named(address, before) : undefined;
}

/** True for one phone number, however it is written, and false for what a gateway could take for several. */
export function isOnePhone(text: string): boolean {
  return text.length <= MAX_PHONE && !CONTROL.test(text) && PHONE.test(text.trim());
}

function isAddress(text: string): boolean {
  return text.length <= MAX_ADDRESS && ADDRESS.test(text);
}

function named(address: string, name: string): Mailbox {
  return name === '' ? { address } : { address, name };
}
