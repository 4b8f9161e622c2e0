import { AppException, type AppExceptionOptions } from './app-exception.js';

/** What the OpenAPI document shows of an error. */
export interface DefinedError {
  readonly status: number;
  readonly code: string;
  /** The text with example values. */
  readonly exampleText: () => string | string[];
  readonly exampleHint?: () => string | undefined;
}

export type ErrorClass<Args extends unknown[]> = DefinedError & (new (...args: Args) => AppException);

type Text<Args extends unknown[]> = (...args: Args) => string | string[];
type Options<Args extends unknown[]> = AppExceptionOptions | ((...args: Args) => AppExceptionOptions);

/**
 * Defines the exception class of one error. Its `name` is the code in PascalCase: `FeedNotFound` of `feed_not_found`.
 * Routes that throw it name it in `@ApiErrors()`.
 *
 * @param code stable and in snake_case: programs depend on it
 * @param text what is wrong and what to do next, or a list of such texts; can be a function of the constructor's arguments
 * @param example constructor's arguments for the OpenAPI document; `{feedId}` in them is the example of that path parameter
 * @param options hint, cause, details and so on; can be a function of the constructor's arguments
 * @example
 * export const FeedNotFound = defineError(404, 'feed_not_found', (id: string) => `There is no feed '${id}'.`, ['{feedId}']);
 */
export function defineError<Args extends unknown[]>(
  status: number,
  code: string,
  text: Text<Args>,
  example: NoInfer<Args>,
  options?: Options<NoInfer<Args>>,
): ErrorClass<Args>;
export function defineError<Args extends unknown[] = []>(
  status: number,
  code: string,
  text: string | Text<Args>,
  options?: Options<NoInfer<Args>>,
): ErrorClass<Args>;
export function defineError<Args extends unknown[]>(
  status: number,
  code: string,
  text: string | Text<Args>,
  ...rest: [example: Args, options?: Options<Args>] | [options?: Options<Args>]
): ErrorClass<Args> {
  const name = code.replace(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase());
  const [example, options] = isExample(rest) ? rest : [undefined, ...rest];
  return class extends AppException {
    static readonly status = status;
    static readonly code = code;
    static readonly exampleText = (): string | string[] => exampleText(text, example);
    static readonly exampleHint = (): string | undefined => exampleHint(options, example);

    constructor(...args: Args) {
      const messages = typeof text === 'function' ? text(...args) : text;
      super(status, code, messages, typeof options === 'function' ? options(...args) : options);
      this.name = name;
    }
  };
}

function isExample<Args extends unknown[]>(
  rest: readonly [example: Args, options?: Options<Args>] | readonly [options?: Options<Args>],
): rest is [example: Args, options?: Options<Args>] {
  return Array.isArray(rest[0]);
}

/** Plugins may define errors without an example. */
const ANY_VALUE = '{…}';

function exampleText<Args extends unknown[]>(text: string | Text<Args>, example: Args | undefined): string | string[] {
  if (typeof text === 'string') return text;
  return example === undefined ? ANY_VALUE : text(...example);
}

function exampleHint<Args extends unknown[]>(
  options: Options<Args> | undefined,
  example: Args | undefined,
): string | undefined {
  if (typeof options !== 'function') return options?.hint;
  return example && options(...example).hint;
}
