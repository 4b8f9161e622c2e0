import type { TenantContext } from '#libs/common';
import { Batcher } from '#libs/work';
import type { ReadOptions, TenantReads, Where } from './tenant-reads.js';

type Environment = Pick<TenantContext, 'environmentId'>;

interface Wanted {
  readonly environmentId: string;
  readonly key: string;
}

/**
 * Finds records by a key that is unique in each environment. What concurrent callers want is one query: a command of its
 * own costs this process as much as all else that a small request does.
 *
 * @example
 * private readonly bySubscriberId = new RecordLoader(this.subscribers, 'subscriberId', { where: KNOWN_TO_KEYS });
 */
export class RecordLoader<T, K extends keyof T & string, F extends keyof T = keyof T> {
  private readonly batcher = new Batcher<Wanted, Pick<T, F> | undefined>((wanted) => this.read(wanted), {
    size: 100,
    concurrency: 4,
    beside: 16,
  });

  /** @param options.fields must have the key, if given */
  constructor(
    private readonly records: Pick<TenantReads<T>, 'list'>,
    private readonly keyField: K & F,
    private readonly options: Pick<ReadOptions<F>, 'fields'> & { readonly where?: Where<T> } = {},
  ) {}

  find({ environmentId }: Environment, key: string): Promise<Pick<T, F> | undefined> {
    return this.batcher.submit({ environmentId, key });
  }

  private async read(wanted: readonly Wanted[]): Promise<(Pick<T, F> | undefined)[]> {
    const keysOf = new Map<string, Set<string>>();
    for (const { environmentId, key } of wanted)
      keysOf.set(environmentId, (keysOf.get(environmentId) ?? new Set()).add(key));
    const found = new Map(
      await Promise.all(
        [...keysOf].map(
          async ([environmentId, keys]) => [environmentId, await this.readKeys(environmentId, keys)] as const,
        ),
      ),
    );
    return wanted.map(({ environmentId, key }) => found.get(environmentId)?.get(key));
  }

  private async readKeys(environmentId: string, keys: ReadonlySet<string>): Promise<Map<unknown, Pick<T, F>>> {
    const { where, ...options } = this.options;
    const conditions = { ...where, [this.keyField]: { $in: [...keys] } } as Where<T>;
    const rows = await this.records.list<F>({ environmentId }, conditions, options);
    return new Map(rows.map((row) => [row[this.keyField], row]));
  }
}
