import { shortId, slugOf } from '#libs/persistence';

const SHORT_ID_LENGTH = 10;
const SLUG_LENGTH = 200;

/** An identifier for a layout that was sent without one: the slug of its name and a short id. */
export function layoutIdentifier(name: string): string {
  return `${slugOf(name, SLUG_LENGTH) || 'layout'}-${shortId(SHORT_ID_LENGTH)}`;
}
