/** True for the store's refusal of a second record with the same unique key (code 11000). */
export function isDuplicateKey(error: unknown): error is { code: 11000; keyPattern?: Record<string, unknown> } {
  return typeof error === 'object' && error !== null && (error as { code?: unknown }).code === 11000;
}
