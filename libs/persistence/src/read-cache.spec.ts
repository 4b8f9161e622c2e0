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
});
