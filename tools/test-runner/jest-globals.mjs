/** `@jest/globals`: what belongs to the test file that runs, also for modules that stay from one file to the next. */
export const jest = new Proxy({}, { get: (_, name) => globalThis.jest[name] });
