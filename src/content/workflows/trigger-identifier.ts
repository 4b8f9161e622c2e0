import { NAME_LENGTH } from '#libs/http-kit';
import { isObjectId, shortId, slugOf } from '#libs/persistence';

const SUFFIX_LENGTH = 8;
/** Path segments of routes. */
const RESERVED = new Set(['variables']);

export function isReservedIdentifier(identifier: string): boolean {
  return RESERVED.has(identifier);
}

/**
 * Adds a short suffix if the slug is taken, empty or ambiguous in a path.
 * @param taken another workflow has the bare slug
 */
export function triggerIdentifier(name: string, taken: boolean): string {
  const slug = slugOf(name, NAME_LENGTH - SUFFIX_LENGTH - 1);
  if (slug === '') return shortId(SUFFIX_LENGTH);
  return taken || RESERVED.has(slug) || isObjectId(slug) ? `${slug}-${shortId(SUFFIX_LENGTH)}` : slug;
}
