import { ReadCache } from './read-cache.js';

/** A read that ends when the test says so. */
function pending<T>(): { read: () => Promise<T>; resolve: (value: T) => void } {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((done) => (resolve = done));
  return { read: () => promise, resolve };
}

describe('ReadCache', () => {
  const never = (): Promise<string> => Promise.reject(new Error('read again'));
  const cache = (): ReadCache<string> => new ReadCache({ max: 10, ttlMs: 60_000 });

  it('should read once for callers that ask at the same time', async () => {
    const known = cache();
    const { read, resolve } = pending<string>();
    const both = [known.get('a', read), known.get('a', never)];
    resolve('value');
    await expect(Promise.all(both)).resolves.toEqual(['value', 'value']);
    await expect(known.get('b', () => Promise.resolve('other'))).resolves.toBe('other');
  });

  it('should not keep a read that failed', async () => {
    const known = cache();
    await expect(known.get('a', never)).rejects.toThrow('read again');
    await expect(known.get('a', () => Promise.resolve('value'))).resolves.toBe('value');
  });

  it('should not keep a read that was under way when its key was forgotten', async () => {
    const known = cache();
    const { read, resolve } = pending<string>();
    const early = known.get('a', read);
    known.forget('a');
    const late = known.get('a', () => Promise.resolve('new'));
    resolve('old');
    await expect(Promise.all([early, late])).resolves.toEqual(['old', 'new']);
    await expect(known.get('a', never)).resolves.toBe('new');
  });

  describe('getAll', () => {
    const rows = (ids: readonly string[]): Promise<Map<string, string>> =>
      Promise.resolve(new Map(ids.filter((id) => id !== 'none').map((id) => [id, `row ${id}`])));
    const shared = (): ReadCache<string | undefined> => new ReadCache({ max: 10, ttlMs: 60_000 });

    it('should read only what is not known, by one read', async () => {
      const known = shared();
      const asked: (readonly string[])[] = [];
      const read = (ids: readonly string[]): Promise<Map<string, string>> => {
        asked.push(ids);
        return rows(ids);
      };
      await known.getAll('env', ['a', 'b', 'a'], read);
      expect([...(await known.getAll('env', ['a', 'c', 'b'], read))]).toEqual([
        ['a', 'row a'],
        ['c', 'row c'],
        ['b', 'row b'],
      ]);
      await known.getAll('env', ['a', 'b'], read);
      expect(asked).toEqual([['a', 'b'], ['c']]);
    });

    it('should leave out what there is not, and keep scopes apart', async () => {
      const known = shared();
      expect([...(await known.getAll('env', ['none', 'a'], rows)).keys()]).toEqual(['a']);
      const other = await known.getAll('other', ['a'], () => Promise.resolve(new Map([['a', 'other row']])));
      expect(other.get('a')).toBe('other row');
    });

    it('should read again what was forgotten, and what failed', async () => {
      const known = shared();
      await known.getAll('env', ['a'], rows);
      known.forget('env:a');
      const failing = known.getAll('env', ['a', 'b'], () => Promise.reject(new Error('no store')));
      await expect(failing).rejects.toThrow('no store');
      expect((await known.getAll('env', ['a', 'b'], rows)).size).toBe(2);
    });
  });
});
