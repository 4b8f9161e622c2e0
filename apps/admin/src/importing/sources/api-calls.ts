import { isObject, type RawObject } from '#libs/validation';
import { ApiFault, type HeraldClient } from '../../files/herald-client.js';
import type { Row } from '../novu-records.js';
import { asStored, type SourcePage } from './novu-source.js';

const PAGE_SIZE = 100;
/** A version of Novu without the route, or a plan without the feature. */
const NOT_THERE = new Set([402, 404, 405, 410, 501]);

/** Reads Novu's API in pages. `at` is where its lists go on: a cursor, the number of a page, or how many rows are before it. */
export class ApiCalls {
  constructor(private readonly client: HeraldClient) {}

  async get(path: string): Promise<RawObject> {
    return ((await this.client.call('GET', path)).body ?? {}) as RawObject;
  }

  /** @returns undefined where this Novu does not have it */
  async find(path: string): Promise<unknown> {
    try {
      return (await this.get(path))['data'];
    } catch (error) {
      if (isNotThere(error)) return undefined;
      throw error;
    }
  }

  /** Lists of `/v2` whose pages name the next one. */
  async *linked(path: string, at?: string): AsyncGenerator<SourcePage> {
    let after = at;
    do {
      const cursor = after === undefined ? '' : `&after=${encodeURIComponent(after)}`;
      const body = await this.get(`${path}?limit=${PAGE_SIZE}${cursor}`);
      after = typeof body['next'] === 'string' && body['next'] !== '' ? body['next'] : undefined;
      yield { rows: rowsIn(body['data']), next: after };
    } while (after !== undefined);
  }

  /** Lists of `/v1`, with numbered pages. @param size name of the parameter that sets the size of a page */
  async *numbered(path: string, size: 'limit' | 'pageSize', at?: string): AsyncGenerator<SourcePage> {
    let next: string | undefined = at ?? '0';
    while (next !== undefined) {
      const page: number = Number(next);
      const query = `${path.includes('?') ? '&' : '?'}page=${page}&${size}=${PAGE_SIZE}`;
      const body = await this.get(`${path}${query}`);
      const rows = rowsIn(body['data']);
      const isLast: boolean =
        rows.length === 0 || body['hasMore'] === false || (body['hasMore'] !== true && rows.length < PAGE_SIZE);
      next = isLast ? undefined : String(page + 1);
      yield { rows, next };
    }
  }

  /** Lists of `/v2` with `offset`, which have their rows under a name of their own. */
  async *counted(path: string, name: string, at?: string): AsyncGenerator<SourcePage> {
    let next: string | undefined = at ?? '0';
    while (next !== undefined) {
      const offset: number = Number(next);
      const body = await this.get(`${path}?limit=${PAGE_SIZE}&offset=${offset}`);
      const inner = isObject(body['data']) ? body['data'] : body;
      const rows = rowsIn(inner[name]);
      const isLast: boolean = rows.length === 0 || offset + rows.length >= Number(inner['totalCount']);
      next = isLast ? undefined : String(offset + rows.length);
      yield { rows, next };
    }
  }

  async *whole(path: string): AsyncGenerator<SourcePage> {
    yield { rows: rowsIn(await this.find(path)), next: undefined };
  }

  /** The first list that this Novu has. */
  async *firstOf(...lists: readonly (() => AsyncIterable<SourcePage>)[]): AsyncGenerator<SourcePage> {
    for (const list of lists) {
      let isBegun = false;
      try {
        for await (const page of list()) {
          isBegun = true;
          yield page;
        }
        return;
      } catch (error) {
        if (isBegun || !isNotThere(error)) throw error;
      }
    }
  }
}

function isNotThere(error: unknown): boolean {
  return error instanceof ApiFault && NOT_THERE.has(error.status);
}

export function rowsIn(list: unknown): Row[] {
  return (Array.isArray(list) ? (list as unknown[]) : []).filter(isObject).map((row) => asStored(row) as Row);
}
