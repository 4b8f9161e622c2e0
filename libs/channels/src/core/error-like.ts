/** What can be asked of a thrown value. Foreign realms and DOMException make `instanceof Error` unreliable. */
export interface ErrorLike {
  name?: unknown;
  message?: unknown;
  code?: unknown;
  cause?: unknown;
}

export function asErrorLike(value: unknown): ErrorLike {
  return typeof value === 'object' && value !== null ? value : {};
}
