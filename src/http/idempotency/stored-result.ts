import { AppException, describeError, Rows } from '#libs/http-kit';

export type StoredResult =
  | { readonly kind: 'value'; readonly status: number; readonly value?: unknown }
  | { readonly kind: 'page'; readonly status: number; readonly value: Rows<unknown> }
  | { readonly kind: 'error'; readonly status: number; readonly code: string; readonly message: string | string[] };

/** @param status of the response */
export function resultOf(value: unknown, status: number): StoredResult {
  if (value instanceof Rows) return { kind: 'page', status, value };
  return value === undefined ? { kind: 'value', status } : { kind: 'value', status, value };
}

/** Undefined for errors that a retry may not meet: internal errors, an unavailable store, rate limits. */
export function refusalOf(error: unknown): StoredResult | undefined {
  const { status, code, message } = describeError(error);
  return status >= 500 || status === 429 ? undefined : { kind: 'error', status, code, message };
}

/** Returns what the handler returned. @throws what it threw */
export function replay(result: StoredResult): unknown {
  switch (result.kind) {
    case 'error':
      throw new AppException(result.status, result.code, result.message);
    case 'page': {
      const { data, ...beside } = result.value;
      return new Rows(data, beside);
    }
    case 'value':
      return result.value;
  }
}
