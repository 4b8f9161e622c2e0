import { createDecipheriv, createECDH, createHmac, randomBytes } from 'node:crypto';

const KEY_BYTES = 65;
const SALT_BYTES = 16;
const TAG_BYTES = 16;

/** The part of a browser in Web Push: a subscription, and reading what is sent to it. */
export interface PushBrowser {
  /** The device token: the subscription as `JSON.stringify` writes it. */
  readonly token: string;
  /** Decrypts a body as RFC 8291 and RFC 8188 define it. @throws if it is for another browser */
  read(body: Buffer): unknown;
}

export function pushBrowser(endpoint: string): PushBrowser {
  const pair = createECDH('prime256v1');
  const publicKey = pair.generateKeys();
  const auth = randomBytes(16);
  const keys = { p256dh: publicKey.toString('base64url'), auth: auth.toString('base64url') };
  return {
    token: JSON.stringify({ endpoint, expirationTime: null, keys }),
    read: (body) => {
      const salt = body.subarray(0, SALT_BYTES);
      const keyLength = body.readUInt8(SALT_BYTES + 4);
      const sender = body.subarray(SALT_BYTES + 5, SALT_BYTES + 5 + keyLength);
      if (keyLength !== KEY_BYTES) throw new Error('The body has no public key.');
      const encrypted = body.subarray(SALT_BYTES + 5 + keyLength);
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, sender]);
      const secret = hkdf(auth, pair.computeSecret(sender), info, 32);
      const key = hkdf(salt, secret, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
      const nonce = hkdf(salt, secret, Buffer.from('Content-Encoding: nonce\0'), 12);
      const cipher = createDecipheriv('aes-128-gcm', key, nonce);
      cipher.setAuthTag(encrypted.subarray(-TAG_BYTES));
      const padded = Buffer.concat([cipher.update(encrypted.subarray(0, -TAG_BYTES)), cipher.final()]);
      return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString()) as unknown;
    },
  };
}

function hkdf(salt: Buffer, key: Buffer, info: Buffer, length: number): Buffer {
  const extracted = createHmac('sha256', salt).update(key).digest();
  return createHmac('sha256', extracted)
    .update(info)
    .update(Buffer.from([1]))
    .digest()
    .subarray(0, length);
}
