const DUPLICATE_KEY = 11000;

/** True for the store's refusal of a second record with the same unique key (code 11000). */
export function isDuplicateKey(error: unknown): error is { code: 11000; keyPattern?: Record<string, unknown> } {
  return typeof error === 'object' && error !== null && (error as { code?: unknown }).code === DUPLICATE_KEY;
}

/**
 * True where an unordered bulk insert failed for nothing but records that were there already: everything else is stored.
 */
export function hasOnlyDuplicates(error: unknown): boolean {
  const { writeErrors } = error as { writeErrors?: unknown };
  const faults = (Array.isArray(writeErrors) ? writeErrors : [writeErrors]) as ({ code?: number } | undefined)[];
  return faults.length > 0 && faults.every((fault) => fault?.code === DUPLICATE_KEY);
}
