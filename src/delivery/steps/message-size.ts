import { BSON } from 'bson';
import { sharedSize } from '#libs/persistence';
import { TemplateError } from '#libs/templates';
import type { NewMessage } from '../../messages/index.js';

/** The store takes records of 16 MiB; the rest is for what every message has. */
const MAX_BYTES = 15_500_000;

/** @throws {TemplateError} when a message of this content and payload could not be stored */
export function checkSize(fields: Partial<NewMessage>): void {
  // All recipients of an event share these two: they are measured once.
  const { payload = {}, overrides = {}, ...own } = fields;
  const bytes = BSON.calculateObjectSize(own) + sharedSize(payload) + sharedSize(overrides);
  if (bytes <= MAX_BYTES) return;
  throw new TemplateError(`the message takes ${bytes} bytes with its payload, and ${MAX_BYTES} is the most`);
}
