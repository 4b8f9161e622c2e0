import { customAlphabet } from 'nanoid';
import slugify from 'slugify';

const shortId = customAlphabet('0123456789abcdefghijklmnopqrstuvwxyz', 10);
const SLUG_LENGTH = 200;

/** An identifier for a layout that was sent without one: the slug of its name and a short id. */
export function layoutIdentifier(name: string): string {
  const slug = slugify(name, { lower: true, strict: true }).slice(0, SLUG_LENGTH) || 'layout';
  return `${slug}-${shortId()}`;
}
