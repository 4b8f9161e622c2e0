import { createValidationPipe, NAME_LENGTH, ValidationFailed } from '#libs/http-kit';
import { isObject } from '#libs/validation';
import { Turns } from '#libs/worker-pool';
import { CreateSubscriberDto } from './subscriber.dto.js';
import type { BulkFailure } from './subscriber.response.js';

const validation = createValidationPipe();

type ReadEntry = { readonly dto: CreateSubscriberDto } | { readonly failure: BulkFailure };

/** Years of imports have wrong entries: one of them must not refuse the others, and many must not hold up other requests. */
export async function readBulkEntries(entries: readonly unknown[]): Promise<ReadEntry[]> {
  const turns = new Turns();
  const read: ReadEntry[] = [];
  for (const [index, entry] of entries.entries()) {
    read.push(await readEntry(entry, index));
    await turns.offer();
  }
  return read;
}

async function readEntry(entry: unknown, index: number): Promise<ReadEntry> {
  const path = `subscribers.${index}`;
  if (!isObject(entry)) return { failure: { message: `${path} must be an object` } };
  try {
    const dto: unknown = await validation.transform(entry, { type: 'body', metatype: CreateSubscriberDto });
    return { dto: dto as CreateSubscriberDto };
  } catch (error) {
    if (!(error instanceof ValidationFailed)) throw error;
    const message = [error.messages]
      .flat()
      .map((fault) => `${path}.${fault}`)
      .join('; ');
    const { subscriberId } = entry;
    const isNamed = typeof subscriberId === 'string' && subscriberId.length <= NAME_LENGTH;
    return { failure: { message, ...(isNamed && { subscriberId }) } };
  }
}
