import { ProviderError } from '../errors/provider-error.js';

/** @throws {ProviderError} for a text that the provider would cut or refuse */
export function assertLength(length: number, most: number, unit: 'bytes' | 'characters'): void {
  if (length <= most) return;
  const [is, limit] = [length, most].map((count) => count.toLocaleString('en'));
  throw new ProviderError(
    `The message has ${is} ${unit}, and the provider takes ${limit}. It is not cut; shorten the template.`,
    { code: 'message_incomplete', retryable: false },
  );
}
