import { customAlphabet } from 'nanoid';
import slugify from 'slugify';
import { NAME_LENGTH } from '#libs/http-kit';
import { isObjectId } from '#libs/persistence';

const SUFFIX_LENGTH = 8;
const newSuffix = customAlphabet('0123456789abcdefghijklmnopqrstuvwxyz', SUFFIX_LENGTH);
/** Words that the routes take for themselves. */
const RESERVED = new Set(['variables']);

/**
 * The trigger identifier of a new workflow: the slug of its name, with a short suffix when that is taken, empty, or
 * would be mistaken for something else in a path.
 * @param taken the bare slug was tried and another workflow has it
 */
export function triggerIdentifier(name: string, taken: boolean): string {
  const slug = slugify(name, { lower: true, strict: true }).slice(0, NAME_LENGTH - SUFFIX_LENGTH - 1);
  if (slug === '') return newSuffix();
  return taken || RESERVED.has(slug) || isObjectId(slug) ? `${slug}-${newSuffix()}` : slug;
}
