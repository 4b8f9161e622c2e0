import { createPrivateKey } from 'node:crypto';
import { readMailbox } from '../core/addresses.js';
import type { CredentialFormat } from '../core/declaration.js';
import { keyText, parseServiceAccount } from '../core/service-account.js';

interface Format {
  readonly expected: string;
  readonly fits: (text: string) => boolean;
}

const isUrl = (text: string): boolean => isWebUrl(text, ['http:', 'https:']);

/** What texts have to look like so that a worker can use them. */
export const FORMATS: Readonly<Record<CredentialFormat, Format>> = {
  host: {
    expected: 'a host name or an IP address, without a scheme, a path or blanks',
    fits: (text) => /^[^\s/@?#\\]+$/.test(text),
  },
  // What is no number is told as that.
  port: { expected: 'a port from 1 to 65535', fits: (text) => !(Number(text) < 1 || Number(text) > 65_535) },
  url: { expected: 'a URL that begins with https:// or http://', fits: isUrl },
  hostOrUrl: {
    expected: 'a host name, or a URL that begins with https:// or http://',
    fits: (text) => isUrl(/^https?:\/\//i.test(text) ? text : `https://${text}`),
  },
  mailbox: { expected: 'one email address', fits: (text) => readMailbox(text) !== undefined },
  header: { expected: 'one line of visible ASCII characters', fits: (text) => /^[\x20-\x7e]+$/.test(text) },
  serviceAccount: {
    expected:
      'the text of a service account file: JSON with project_id, client_email and private_key, which is a key in PEM',
    fits: passes((text) => createPrivateKey(parseServiceAccount(text).privateKey)),
  },
  privateKey: { expected: 'the text of the .p8 key file', fits: passes((text) => createPrivateKey(keyText(text))) },
  vapidPublicKey: { expected: 'a public VAPID key: 65 bytes in base64url', fits: (text) => bytesOf(text) === 65 },
  hexKey: { expected: 'a key of 64 hexadecimal digits', fits: (text) => /^[\da-f]{64}$/i.test(text) },
  urlWord: {
    expected: '1 to 256 letters, digits, hyphens and underscores',
    fits: (text) => /^[\w-]{1,256}$/.test(text),
  },
  vapidPrivateKey: { expected: 'a private VAPID key: 32 bytes in base64url', fits: (text) => bytesOf(text) === 32 },
};

/** A whole URL without blanks, with one of the schemes. @param schemes default: any */
export function isWebUrl(text: string, schemes?: readonly string[]): boolean {
  const trimmed = text.trim();
  if (/\s/.test(trimmed) || !/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) || !URL.canParse(trimmed)) return false;
  return schemes === undefined || schemes.includes(new URL(trimmed).protocol);
}

function passes(read: (text: string) => unknown): (text: string) => boolean {
  return (text) => {
    try {
      read(text);
      return true;
    } catch {
      return false;
    }
  };
}

function bytesOf(text: string): number {
  return /^[\w-]+=*$/.test(text) ? Buffer.from(text, 'base64url').length : 0;
}
