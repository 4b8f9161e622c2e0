import { pathOf, plainWords } from './plain-words.js';

/** A fault in a part of what was sent. */
export interface Fault {
  /** Such as `steps.2.template.subject`. */
  readonly path: string;
  readonly text: string;
}

/** What the console shows of a failed request. */
export interface Failure {
  /** HTTP status; 0 without an answer. */
  readonly status: number;
  /** Stable code of the API. */
  readonly code: string;
  readonly texts: readonly string[];
  /** What the reader can do. */
  readonly advice?: string;
  /** Those of {@link texts} that are about a part of the body. */
  readonly faults?: readonly Fault[];
}

export const NO_CONNECTION: Failure = {
  status: 0,
  code: 'no_connection',
  texts: ['Herald does not respond.'],
  advice: 'Check that Herald is running and that your browser can reach it, then try again.',
};

export class ApiFailure extends Error {
  constructor(readonly failure: Failure) {
    super(failure.texts.join(' '));
  }
}

const ADVICE: Readonly<Record<number, string>> = {
  401: 'Sign in again with a valid key.',
  403: 'Sign in with a key that has this scope.',
  404: 'It may have been deleted, or it belongs to another environment. Check the environment of your key.',
  429: 'Wait a moment, then try again.',
  500: 'Search the Herald logs for this id to find the cause.',
  503: 'Herald is starting, stopping or overloaded. Try again in a moment.',
};

/** @param body of the answer, in the form of every error of the API */
export function failureOf(status: number, body: unknown): Failure {
  const { message, code, errorId } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  const told = (Array.isArray(message) ? message : [message]).filter((text) => typeof text === 'string');
  const texts = told.map(plainWords);
  const faults = told.flatMap((text) => {
    const path = pathOf(text);
    return path === undefined ? [] : [{ path, text: plainWords(text) }];
  });
  // Other refusals say themselves what to do.
  const advice = status === 403 && code !== 'scope_missing' ? undefined : ADVICE[status];
  return {
    status,
    code: typeof code === 'string' ? code : `http_${status}`,
    texts: [
      ...(texts.length > 0 ? texts : [`The request failed with the status ${status}.`]),
      ...(typeof errorId === 'string' ? [`Error id: ${errorId}`] : []),
    ],
    ...(advice !== undefined && { advice }),
    ...(faults.length > 0 && { faults }),
  };
}

/** @param error anything that was thrown */
export function toFailure(error: unknown): Failure {
  if (error instanceof ApiFailure) return error.failure;
  return {
    status: 0,
    code: 'console',
    texts: ['An error occurred in the console.', String(error)],
    advice: 'Reload the page.',
  };
}
