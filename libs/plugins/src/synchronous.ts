/**
 * The result of a function of a plugin that must not be asynchronous: as a value, a promise is always true.
 * @throws {Error} if it is a promise
 */
export function synchronous<T>(result: T): T {
  if (!(result instanceof Promise)) return result;
  // Nothing waits for it, and a rejection that nothing handles ends the process.
  result.catch(() => undefined);
  throw new Error('it returned a promise, but must be synchronous');
}
