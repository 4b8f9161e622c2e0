import { AppException, type AppExceptionOptions } from './app-exception.js';

export type ErrorClass<Args extends unknown[]> = new (...args: Args) => AppException;

/**
 * Defines the exception class of one error. Its `name` is the code in PascalCase: `FeedNotFound` of `feed_not_found`.
 *
 * @param code stable and in snake_case: programs depend on it
 * @param text what is wrong and what to do next, or a list of such texts; can be a function of the constructor's arguments
 * @param options cause, details and so on; can be a function of the constructor's arguments
 * @example
 * export const FeedNotFound = defineError(404, 'feed_not_found', (id: string) => `There is no feed '${id}'.`);
 */
export function defineError<Args extends unknown[] = []>(
  status: number,
  code: string,
  text: string | ((...args: Args) => string | string[]),
  options?: AppExceptionOptions | ((...args: NoInfer<Args>) => AppExceptionOptions),
): ErrorClass<Args> {
  const name = code.replace(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase());
  return class extends AppException {
    constructor(...args: Args) {
      const messages = typeof text === 'function' ? text(...args) : text;
      super(status, code, messages, typeof options === 'function' ? options(...args) : options);
      this.name = name;
    }
  };
}
