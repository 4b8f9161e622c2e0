import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { AccessToken } from './token-answer.js';

interface Entry {
  fetching: Promise<AccessToken>;
  /** Expiry in milliseconds since 1970; infinite while the token is being fetched. */
  until: number;
}

/** Access tokens by credentials, cached until shortly before they expire. Concurrent callers share one request. */
export class TokenCache {
  private readonly entries = new LRUCache<string, Entry>({ max: 100 });

  /**
   * @param credentials what the token was given for
   * @param refused a token that the service does not accept any more
   */
  async get(
    credentials: readonly string[],
    now: Date,
    fetch: () => Promise<AccessToken>,
    refused?: string,
  ): Promise<string> {
    const key = createHash('sha256').update(credentials.join('\n')).digest('base64');
    const known = this.entries.get(key);
    if (known && known.until > now.getTime()) {
      const { token } = await known.fetching;
      if (token !== refused) return token;
    }
    const entry: Entry = { fetching: fetch(), until: Infinity };
    this.entries.set(key, entry);
    try {
      const { token, until } = await entry.fetching;
      entry.until = until;
      return token;
    } catch (error) {
      this.entries.delete(key);
      throw error;
    }
  }
}
