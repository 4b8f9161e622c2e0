import { domainToASCII } from 'node:url';

export type AddressChannel = 'email' | 'sms';

/** Longer texts are no addresses (RFC 5321, 4.5.3.1); a mailbox has a name as well. */
const MAX_LOCAL = 64;
const MAX_DOMAIN = 253;
const MAX_MAILBOX = 1_000;
const MAX_PHONE = 100;

/** Neither lists nor groups, comments or quotes can be written with what is left. */
const ADDRESS = /^([^\s@,;:<>()[\]"\\]+)@([^\s@,;:<>()[\]"\\]+)$/;
const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;
const CONTROL = /\p{Cc}/u;
const NAME = /^[^@,;:<>()[\]"\\]*$/;
const QUOTED_NAME = /^"(?:[^"\\]|\\.)*"$/;

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

/** What a mail server could take: the domain may be that of an intranet. */
function isAddress(text: string): boolean {
  const [, local = '', domain = ''] = ADDRESS.exec(text) ?? [];
  if (local === '' || Buffer.byteLength(local) > MAX_LOCAL || /^\.|\.\.|\.$/.test(local)) return false;
  const ascii = domainToASCII(domain);
  return ascii !== '' && ascii.length <= MAX_DOMAIN && ascii.split('.').every((label) => LABEL.test(label));
}

function named(address: string, name: string): Mailbox {
  return name === '' ? { address } : { address, name };
}

/** The name of a network, as in `whatsapp:+15550100`. */
const NETWORK = /^[a-z]{2,20}:/i;
const SEPARATORS = /[\s()./\u2010-\u2015-]/g;
/** E.164 has 15 digits at most. */
const NUMBER = /^\+?\d{1,15}$/;
/**
 * The zero after a country code that is dialled only within the country. In Italy, San Marino, the Vatican, Ivory Coast, Benin, Gabon and
 * Congo it belongs to the number.
 */
const TRUNK_ZERO =
  /^\+(?!39|378|379|225|229|241|242)(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|(?:2[1-689]|3[578]|42|5[09]|6[7-9]|8[05-8]|9[679])\d)0(?=\d)/;

/**
 * A phone number as it is sent: `+442079460018` for `0044 (0)20 7946 0018`. What has no country code keeps its digits.
 * @returns undefined for what is not one phone number
 */
export function phoneNumber(text: string): string | undefined {
  if (text.length > MAX_PHONE || CONTROL.test(text)) return undefined;
  const trimmed = text.normalize('NFKC').trim();
  const network = NETWORK.exec(trimmed)?.[0] ?? '';
  const number = withoutTrunk(trimmed.slice(network.length));
  if (!NUMBER.test(number)) return undefined;
  return `${network.toLowerCase() === 'tel:' ? '' : network}${number}`;
}

function withoutTrunk(number: string): string {
  const trimmed = number.trim();
  const isInternational = /^(\+|00)/.test(trimmed);
  const bare = (isInternational ? trimmed.replace('(0)', '') : trimmed).replace(SEPARATORS, '');
  return bare.replace(/^00/, '+').replace(TRUNK_ZERO, '+$1');
}

/**
 * What addresses are compared by: two texts that reach the same person have one form. Case does not count in a mail address, nor
 * does the spelling of its domain; nor do a missing plus and the network of a phone number.
 */
export function addressKey(channel: AddressChannel, text: string): string {
  return channel === 'email' ? emailKey(text) : phoneKey(text);
}

function emailKey(text: string): string {
  const address = (readMailbox(text)?.address ?? text.trim()).normalize('NFC').toLowerCase();
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  return `${address.slice(0, at + 1)}${domainToASCII(domain) || domain}`.replace(/\.$/, '');
}

function phoneKey(text: string): string {
  const number = phoneNumber(text)?.replace(NETWORK, '');
  if (number === undefined) return text.replace(/\D/g, '');
  const international = number.startsWith('+') ? number : withoutTrunk(`+${number}`);
  return international.slice(1);
}

/** Leaves out repetitions of an address, and those that are taken. */
export function distinctAddresses<T extends Mailbox>(mailboxes: readonly T[], taken: readonly Mailbox[] = []): T[] {
  const seen = new Set(taken.map(({ address }) => addressKey('email', address)));
  return mailboxes.filter(({ address }) => {
    const key = addressKey('email', address);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
