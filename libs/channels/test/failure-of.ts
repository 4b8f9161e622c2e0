import { ProviderError } from '../src/index.js';

/** The `ProviderError` that a call ends with; anything else fails the test. */
export async function failureOf(call: Promise<unknown>): Promise<ProviderError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ProviderError) return error;
    throw error;
  }
  throw new Error('The call succeeded.');
}
