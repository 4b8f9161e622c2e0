import { ExtensionPoint } from './extension-point.js';

/**
 * Computes a value for a template. It runs while the message is rendered, so it must be fast, free of side effects and
 * independent of settings: large messages are rendered in threads that have none.
 * @param args the positional arguments
 * @param hash the named arguments
 */
export type TemplateHelper = (args: readonly unknown[], hash: Readonly<Record<string, unknown>>) => unknown;

/** Whether the value that a condition found passes. Synchronous and without side effects. */
export type ConditionOperatorCheck = (found: unknown, expected: unknown) => boolean;

export const HELPERS = new ExtensionPoint<TemplateHelper>('template helper');
export const OPERATORS = new ExtensionPoint<ConditionOperatorCheck>('condition operator');

/** URLs of the modules that bring helpers, for threads, which cannot be sent functions. */
export const HELPER_MODULES: string[] = [];

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
