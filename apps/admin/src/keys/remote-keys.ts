import type { AppConfig } from '#libs/config';
import { readSecretFile } from '#libs/secrets';
import type { IssuedKey, KeyBook, KeyRow } from './run-key-command.js';

const ANSWER_WITHIN_MS = 10_000;

/** The keys could not be reached through the running Herald; the message says what to do. */
export class RemoteKeysError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RemoteKeysError';
  }
}

/**
 * The keys of an environment through the Herald that holds the embedded store, with API_KEY or the key that the first start
 * stored in DATA_DIR.
 * @throws {RemoteKeysError} if no Herald listens, or the key belongs to another environment
 */
export async function remoteKeys(config: AppConfig, environment: string): Promise<KeyBook> {
  const call = caller(config);
  const current = await call<{ _id: string; name: string }>('GET', '/v1/environments/me');
  if (current.name !== environment) {
    throw new RemoteKeysError(
      `A running Herald process is using the store, and the given key belongs to ${current.name}. ` +
        `Stop Herald first, or set API_KEY to a key of ${environment}.`,
    );
  }
  const path = '/v1/environments/api-keys';
  return {
    list: () => call<KeyRow[]>('GET', `${path}/all`),
    idOf: async (key) => {
      // A key without the right to list keys, or of another environment, is not a key of this environment.
      const rows = await call<(KeyRow & Environment & { current: boolean })[]>(
        'GET',
        `${path}/all`,
        undefined,
        key,
      ).catch((error: unknown) => {
        if (error instanceof RemoteKeysError) return [];
        throw error;
      });
      return rows.find((row) => row.current && row._environmentId === current._id)?.id;
    },
    issue: (key) => call<IssuedKey>('POST', path, key),
    rotate: (id) => call<IssuedKey>('POST', `${path}/${encodeURIComponent(id)}/rotate`),
    revoke: (id) => call<undefined>('DELETE', `${path}/${encodeURIComponent(id)}`),
  };
}

interface Environment {
  readonly _environmentId: string;
}

/** @param as the key to call with, if not the caller's own */
type Call = <T>(method: string, path: string, body?: object, as?: string) => Promise<T>;

function caller(config: AppConfig): Call {
  const key = config.get('API_KEY') ?? readSecretFile(config.get('DATA_DIR'), 'api-key');
  if (key === undefined) {
    throw new RemoteKeysError(
      'A running Herald process is using the store. Set API_KEY to one of its keys, or stop it first.',
    );
  }
  const host = config.get('HOST').replace('0.0.0.0', '127.0.0.1');
  const base = `http://${host.includes(':') ? `[${host}]` : host}:${config.get('PORT')}`;
  return async <T>(method: string, path: string, body?: object, as = key) => {
    const response = await fetch(base + path, {
      method,
      headers: {
        authorization: `ApiKey ${as}`,
        // As the audit log shows it, beside the key.
        'user-agent': 'herald keys',
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    }).catch((cause: unknown) => {
      throw new RemoteKeysError(
        `Another process is using the store, and no Herald process responds at ${base}. Set PORT and HOST to its values.`,
        { cause },
      );
    });
    const text = await response.text();
    const answer = (text === '' ? {} : JSON.parse(text)) as { data?: unknown; message?: string | string[] };
    if (!response.ok) throw new RemoteKeysError([answer.message ?? `status ${response.status}`].flat().join('\n'));
    return answer.data as T;
  };
}
