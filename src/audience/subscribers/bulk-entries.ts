import { createValidationPipe, NAME_LENGTH, ValidationFailed } from '#libs/http-kit';
import { isObject } from '#libs/validation';
import { CreateSubscriberDto } from './subscriber.dto.js';
import type { BulkFailure } from './subscriber.response.js';

const validation = createValidationPipe();

/** Years of imports have wrong entries: one of them must not refuse the others. */
export async function readBulkEntry(
  entry: unknown,
  index: number,
): Promise<{ readonly dto: CreateSubscriberDto } | { readonly failure: BulkFailure }> {
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
