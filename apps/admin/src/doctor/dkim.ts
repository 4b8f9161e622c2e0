import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

/** Below this, receivers do not accept a signature (RFC 8301). */
const LEAST_BITS = 1024;
const WANTED_BITS = 2048;

export interface DkimReport {
  readonly faults: readonly string[];
  readonly doubts: readonly string[];
  /** Whether it belongs to the private key; undefined if that is not known. */
  readonly matches?: boolean;
}

/** The tags of a record such as `v=DKIM1; k=rsa; p=...`. */
export function tagsIn(record: string): Map<string, string> {
  const pairs = record.split(';').flatMap((part): [string, string][] => {
    const at = part.indexOf('=');
    return at < 0 ? [] : [[part.slice(0, at).trim().toLowerCase(), part.slice(at + 1).trim()]];
  });
  return new Map(pairs);
}

/**
 * What is wrong with the published key of a selector.
 * @param privateKey what mails are signed with, in PEM; undefined if it is not known
 */
export function readDkim(record: string, privateKey?: string): DkimReport {
  const tags = tagsIn(record);
  const [version, type, published] = [tags.get('v'), tags.get('k') ?? 'rsa', tags.get('p')?.replace(/\s/g, '')];
  if (version !== undefined && version !== 'DKIM1') return faulty(`v=${version} must be v=DKIM1`);
  if (published === undefined) return faulty('it has no key (p=)');
  if (published === '') return faulty('the key is revoked (p= is empty)');
  const key = publicKeyIn(published, type);
  if (key === undefined) return faulty(`the key cannot be read as ${type}`);
  const bits = key.asymmetricKeyDetails?.modulusLength ?? WANTED_BITS;
  const hashes = tags.get('h');
  const faults = [
    ...(bits < LEAST_BITS ? [`the key has ${bits} bits, and receivers want ${LEAST_BITS} at least`] : []),
    ...(hashes !== undefined && !hashes.split(':').some((one) => one.trim() === 'sha256')
      ? [`h=${hashes} does not allow sha256, which mails are signed with`]
      : []),
  ];
  const doubts = [
    ...(bits >= LEAST_BITS && bits < WANTED_BITS ? [`the key has ${bits} bits; ${WANTED_BITS} are usual`] : []),
    ...(/(?:^|:)\s*y\s*(?::|$)/.test(tags.get('t') ?? '')
      ? ['t=y says that this is a test, so that receivers may ignore signatures']
      : []),
  ];
  return { faults, doubts, ...(privateKey !== undefined && { matches: belongs(key, privateKey) }) };
}

function faulty(fault: string): DkimReport {
  return { faults: [fault], doubts: [] };
}

/** Of an Ed25519 key, 32 bytes are published (RFC 8463). */
function publicKeyIn(published: string, type: string): KeyObject | undefined {
  try {
    const der = Buffer.from(published, 'base64');
    if (type === 'ed25519') {
      return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: der.toString('base64url') }, format: 'jwk' });
    }
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    return key.asymmetricKeyType === type ? key : undefined;
  } catch {
    return undefined;
  }
}

function belongs(published: KeyObject, privateKey: string): boolean {
  try {
    const own = createPublicKey(createPrivateKey(privateKey));
    // A comparison of different types would leave an error behind, which the next use of a key would throw.
    return own.asymmetricKeyType === published.asymmetricKeyType && published.equals(own);
  } catch {
    return false;
  }
}
