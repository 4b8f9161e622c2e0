import { readPath } from '#libs/common';

/** What the key of a digest can read. The recipient is not among it, because each subscriber has a digest. */
interface DigestSources {
  readonly payload: unknown;
  readonly tenant: unknown;
}

/**
 * The value that separates the digests of a subscriber. The key is a path in the payload; only if that holds nothing there,
 * the path can begin with the name of a source: `payload.order.id`, `tenant.identifier`.
 */
export function digestValue(key: string, sources: DigestSources): unknown {
  const own = readPath(sources.payload, key);
  return own === undefined ? readPath(sources, key) : own;
}
