import { readPath } from '#libs/common';

/** Without the recipient, because each subscriber has a digest. */
interface DigestSources {
  readonly payload: unknown;
  readonly tenant: unknown;
}

/**
 * Separates the digests of a subscriber. The key is a path in the payload; if nothing is found there, it can begin with
 * the name of a source: `payload.order.id`, `tenant.identifier`.
 */
export function digestValue(key: string, sources: DigestSources): unknown {
  const own = readPath(sources.payload, key);
  return own === undefined ? readPath(sources, key) : own;
}
