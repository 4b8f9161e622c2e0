import createClient, { type Client } from 'openapi-fetch';
import type { components, paths } from '../../../../packages/client/src/schema.js';
import { apiUrl } from '../public-path.js';
import { ApiFailure, failureOf, NO_CONNECTION } from './failure.js';

export type Api = Client<paths>;
export type Schemas = components['schemas'];

interface Answer<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/** What identifies the caller. The cookie of a person is nothing that a script can read. */
export type Caller = { readonly key: string } | { readonly csrfToken: string; readonly environmentId: string };

const ENVIRONMENT = 'herald-environment-id';

/** Of a call that is about another environment of the person. */
export const inEnvironment = (environmentId: string): Record<string, string> => ({ [ENVIRONMENT]: environmentId });

/**
 * The API with the types of openapi.json. A key is kept in this closure only.
 * @param onRefused is called when the API does not accept the caller any more
 */
export function createApi(caller: Caller, onRefused: () => void): Api {
  const credentials = 'key' in caller ? 'omit' : 'same-origin';
  const api = createClient<paths>({ baseUrl: apiUrl(), cache: 'no-store', credentials });
  api.use({
    onRequest: ({ request }) => {
      if ('key' in caller) request.headers.set('authorization', `ApiKey ${caller.key}`);
      else {
        request.headers.set('x-csrf-token', caller.csrfToken);
        if (!request.headers.has(ENVIRONMENT)) request.headers.set(ENVIRONMENT, caller.environmentId);
      }
    },
    onResponse: ({ response }) => {
      if (response.status === 401) onRefused();
    },
  });
  return api;
}

/** For what needs no caller; it takes the cookie of a session along. */
export function createOpenApi(): Api {
  return createClient<paths>({ baseUrl: apiUrl(), cache: 'no-store', credentials: 'same-origin' });
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
