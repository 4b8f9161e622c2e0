import createClient, { type Client } from 'openapi-fetch';
import type { components, paths } from '../../../../packages/client/src/schema.js';
import { ApiFailure, failureOf, NO_CONNECTION } from './failure.js';

export type Api = Client<paths>;
export type Schemas = components['schemas'];

interface Answer<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/**
 * The API with the types of openapi.json. The key is kept in this closure only.
 * @param onRefusedKey is called when the API does not accept the key any more
 */
export function createApi(key: string, onRefusedKey: () => void): Api {
  const api = createClient<paths>({ baseUrl: location.origin, cache: 'no-store', credentials: 'omit' });
  api.use({
    onRequest: ({ request }) => request.headers.set('authorization', `ApiKey ${key}`),
    onResponse: ({ response }) => {
      if (response.status === 401) onRefusedKey();
    },
  });
  return api;
}

/**
 * The body of an answer.
 * @throws {ApiFailure} for every answer that is no success, and if there is none
 */
export async function bodyOf<T>(call: Promise<Answer<T>>): Promise<T> {
  let answer: Answer<T>;
  try {
    answer = await call;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiFailure(NO_CONNECTION);
  }
  if (!answer.response.ok) throw new ApiFailure(failureOf(answer.response.status, answer.error));
  return answer.data as T;
}

/** The value in the envelope of an answer. */
export async function dataOf<T>(call: Promise<Answer<{ data: T }>>): Promise<T> {
  return (await bodyOf(call)).data;
}
