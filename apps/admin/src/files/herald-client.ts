import { setTimeout as sleep } from 'node:timers/promises';
import type { Place } from './command.js';
import { type Definition, type Kind, identityOf } from './kinds.js';

const TIMEOUT_MS = 60_000;
const MAX_PAUSE_MS = 10_000;
const FIRST_PAUSE_MS = 250;
const PAGE_SIZE = 50;
/** URLs resolve these as folders, even when they are encoded. */
const DOT_SEGMENT = /^\.{1,2}$/;

/** Where Herald serves JSON schemas. */
export const SCHEMAS_PATH = '/schemas';

/** Herald refused a request: the definition or the key is at fault. */
export class ApiFault extends Error {
  constructor(
    readonly status: number,
    /** One text per fault, each beginning with the path of the field if a field is at fault. */
    readonly faults: readonly string[],
    /** The fields that the request had and Herald does not know. */
    readonly unknown: readonly string[] = [],
    /** What to do about it, as Herald says. */
    readonly hint?: string,
  ) {
    super(faults.join('\n'));
  }
}

/** Herald did not respond, or not as Herald does. */
export class HeraldUnavailable extends Error {}

export interface RemoteRecord {
  readonly id: string;
  readonly kind: Kind;
  readonly definition: Definition;
  /** For kinds with versions. */
  readonly version?: number;
}

export interface Reference {
  readonly kind: string;
  readonly name: string;
  readonly path: string;
}

export interface Change {
  readonly outcome: 'created' | 'updated' | 'unchanged';
  readonly before: Definition | null;
  readonly after: Definition;
  readonly missing: readonly Reference[];
  /** Of what is stored, for kinds with versions. */
  readonly version?: number;
}

export interface Environment {
  readonly id: string;
  readonly name: string;
  /** Whether it takes promotions only. */
  readonly isReadOnly: boolean;
}

/** Of one request. */
export interface CallOptions {
  readonly timeoutMs?: number;
  /** Says that this is a promotion, and from where. */
  readonly promotedFrom?: string | undefined;
  /** Ends the request and its repetitions. */
  readonly signal?: AbortSignal;
}

export interface Answer {
  /** The whole body; undefined if there is none. */
  readonly body: object | undefined;
  readonly data: unknown;
  readonly hasMore: boolean;
  readonly ignored: readonly string[];
}

/** The calls that files need, with an API key of one environment. */
export class HeraldClient {
  private readonly schemas = new Map<string, Promise<object | undefined>>();

  constructor(
    readonly place: Place,
    private readonly retries: number,
    private readonly maxPauseMs = MAX_PAUSE_MS,
  ) {}

  async environment(): Promise<Environment> {
    const { data } = await this.call('GET', '/v1/environments/me');
    const { _id, name, isReadOnly } = data as { _id: string; name: string; isReadOnly?: boolean };
    return { id: _id, name, isReadOnly: isReadOnly === true };
  }

  /** All records of a kind, oldest first. */
  async list(kind: Kind): Promise<RemoteRecord[]> {
    const { fields } = kind;
    if (fields !== undefined) {
      const { data } = await this.call('GET', `/v1/${kind.folder}`);
      return (data as ({ _id: string } & Definition)[]).map((row) => ({
        id: row._id,
        kind,
        definition: Object.fromEntries(fields.flatMap((field) => (field in row ? [[field, row[field]]] : []))),
      }));
    }
    const records: RemoteRecord[] = [];
    for (let page = 0; ; page += 1) {
      const { data, hasMore } = await this.call(
        'GET',
        `/v1/definitions/${kind.folder}?page=${page}&limit=${PAGE_SIZE}`,
      );
      records.push(...(data as Omit<RemoteRecord, 'kind'>[]).map((record) => ({ ...record, kind })));
      if (!hasMore) return records;
    }
  }

  /** @returns the change, and the fields that the definition has and Herald does not know */
  async define(
    kind: Kind,
    definition: Definition,
    isDryRun: boolean,
    promotedFrom?: string,
  ): Promise<{ change: Change; unknown: readonly string[] }> {
    const identity = identityOf(kind, definition);
    const at = identity.findIndex((name) => DOT_SEGMENT.test(name));
    if (at >= 0) {
      const fault = `${kind.identity[at]} must not be '${identity[at]}', which cannot be part of a URL. Rename it`;
      throw new ApiFault(400, [fault]);
    }
    const names = identity.map(encodeURIComponent).join('/');
    const query = isDryRun ? '?dryRun=true' : '';
    const path = `/v1/definitions/${kind.folder}/${names}${query}`;
    const { data, ignored } = await this.call('PUT', path, definition, { promotedFrom });
    return { change: data as Change, unknown: ignored };
  }

  /** The JSON schema of files of a kind, with the step types of plugins; undefined if this Herald serves none. */
  schema({ name }: Kind): Promise<object | undefined> {
    if (this.place.hasOwnSchemas === true) return Promise.resolve(undefined);
    const known = this.schemas.get(name);
    if (known !== undefined) return known;
    const schema = this.readSchema(name);
    this.schemas.set(name, schema);
    return schema;
  }

  private async readSchema(name: string): Promise<object | undefined> {
    try {
      return (await this.call('GET', `${SCHEMAS_PATH}/${name}.json`)).body;
    } catch (error) {
      if (error instanceof ApiFault && error.status === 404) return undefined;
      throw error;
    }
  }

  /** A record that is already deleted is no fault. */
  async remove({ kind, id }: RemoteRecord, promotedFrom?: string): Promise<void> {
    await this.call('DELETE', `/v1/${kind.folder}/${id}`, undefined, { promotedFrom }).catch((error: unknown) => {
      if (!(error instanceof ApiFault) || error.status !== 404) throw error;
    });
  }

  /** @throws {ApiFault} @throws {HeraldUnavailable} also when the signal ends it */
  async call(method: string, path: string, body?: object, options: CallOptions = {}): Promise<Answer> {
    for (let attempt = 0; ; attempt += 1) {
      const { fault, response } = await this.attempt(method, path, body, options);
      const isTemporary = response === undefined || isPassing(response.status);
      if (!isTemporary) return answerOf(response);
      if (attempt >= this.retries || options.signal?.aborted === true)
        throw new HeraldUnavailable(`${this.place.url} ${fault} for ${method} ${path}.`);
      const asked = pauseAskedFor(response?.headers.get('retry-after') ?? '0');
      const pauseMs = Math.min(this.maxPauseMs, Math.max(asked, FIRST_PAUSE_MS * 2 ** attempt));
      await sleep(pauseMs, undefined, { ...(options.signal && { signal: options.signal }) }).catch(() => undefined);
    }
  }

  private async attempt(
    method: string,
    path: string,
    body: object | undefined,
    { timeoutMs = TIMEOUT_MS, signal, promotedFrom }: CallOptions,
  ): Promise<{ fault: string; response?: Response }> {
    const limit = AbortSignal.timeout(timeoutMs);
    try {
      const response = await fetch(`${this.place.url}${path}`, {
        method,
        headers: {
          authorization: `ApiKey ${this.place.key}`,
          'content-type': 'application/json',
          ...(promotedFrom !== undefined && { 'herald-promoted-from': encodeURIComponent(promotedFrom) }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        redirect: 'error',
        signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
      });
      return { fault: `responded with status ${response.status}`, response };
    } catch {
      return { fault: 'did not respond' };
    }
  }
}

/** 501 says that the route is never there. */
function isPassing(status: number): boolean {
  return status === 429 || (status >= 500 && status !== 501);
}

/** `Retry-After` is a number of seconds, or a date. */
function pauseAskedFor(text: string): number {
  const ms = /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? 0 : ms;
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text().catch((cause: unknown) => {
    throw new HeraldUnavailable(`${new URL(response.url).origin} broke off its response.`, { cause });
  });
  const body = asJson(text) as
    { data?: unknown; hasMore?: boolean; message?: string | string[]; hint?: string } | undefined;
  if (response.status === 204) return { body, data: undefined, hasMore: false, ignored: [] };
  if (body === undefined)
    throw new HeraldUnavailable(`${new URL(response.url).origin} does not respond like a Herald server.`);
  const ignored = ignoredIn(response.headers.get('herald-warning'));
  if (!response.ok)
    throw new ApiFault(response.status, [body.message ?? response.statusText].flat(), ignored, body.hint);
  return { body, data: body.data, hasMore: body.hasMore === true, ignored };
}

function asJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The names that the header lists. */
function ignoredIn(header: string | null): string[] {
  return /unknown body fields ignored: ([^;]+?)(?: and \d+ more)?(?:;|$)/.exec(header ?? '')?.[1]?.split(', ') ?? [];
}
