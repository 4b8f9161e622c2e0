/** A key that makes a request safe to repeat. `crypto.randomUUID` is missing where Herald is reached over plain HTTP. */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
