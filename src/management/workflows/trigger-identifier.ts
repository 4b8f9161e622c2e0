import { NAME_LENGTH } from '#libs/http-kit';
import { isObjectId, shortId, slugOf } from '#libs/persistence';

const SUFFIX_LENGTH = 8;
/** Words that are paths of routes. */
const RESERVED = new Set(['variables']);

export function isReservedIdentifier(identifier: string): boolean {
  return RESERVED.has(identifier);
}

/**
 * The trigger identifier of a new workflow: the slug of its name, with a short suffix when that is taken, empty, or
 * would be mistaken for something else in a path.
 * @param taken the bare slug was tried and another workflow has it
 */
export function triggerIdentifier(name: string, taken: boolean): string {
  const slug = slugOf(name, NAME_LENGTH - SUFFIX_LENGTH - 1);
  if (slug === '') return shortId(SUFFIX_LENGTH);
  return taken || RESERVED.has(slug) || isObjectId(slug) ? `${slug}-${shortId(SUFFIX_LENGTH)}` : slug;
}
