import { Batcher } from './batcher.js';

describe('Batcher', () => {
  const recording = (
    limits: { size: number; concurrency: number; beside?: number } = { size: 100, concurrency: 1 },
  ): { batches: number[][]; batcher: Batcher<number, string>; release: () => void } => {
    const batches: number[][] = [];
    let release = (): void => undefined;
    const batcher = new Batcher<number, string>(async (items) => {
      batches.push(items);
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return items.map((item) => `done ${item}`);
    }, limits);
    return { batches, batcher, release: () => release() };
  };
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

  it('should join what comes in the same turn and answer each caller', async () => {
    const { batches, batcher, release } = recording();
    const answers = [1, 2, 3].map((item) => batcher.submit(item));
    await turn();
    release();
    expect(await Promise.all(answers)).toEqual(['done 1', 'done 2', 'done 3']);
    expect(batches).toEqual([[1, 2, 3]]);
  });

  it('should let the next batch grow while one is under way', async () => {
    const { batches, batcher, release } = recording();
    const first = batcher.submit(1);
    await turn();
    const later = [batcher.submit(2), batcher.submit(3)];
    await turn();
    expect(batches).toEqual([[1]]);
    release();
    await first;
    await turn();
    release();
    await Promise.all(later);
    expect(batches).toEqual([[1], [2, 3]]);
  });

  it('should keep batches within their size', async () => {
    const { batches, batcher, release } = recording({ size: 2, concurrency: 2 });
    const answers = [1, 2, 3].map((item) => batcher.submit(item));
    await turn();
    expect(batches).toEqual([[1, 2], [3]]);
    release();
    await answers[2];
  });

  it('should begin a batch beside another one only when it is worth a call of its own', async () => {
    const { batches, batcher, release } = recording({ size: 100, concurrency: 2, beside: 3 });
    const answers = [batcher.submit(1)];
    await turn();
    answers.push(batcher.submit(2), batcher.submit(3));
    await turn();
    expect(batches).toEqual([[1]]);
    answers.push(batcher.submit(4));
    await turn();
    expect(batches).toEqual([[1], [2, 3, 4]]);
    release();
    await answers[3];
  });

  it('should not let a few items wait for a batch that stands still', async () => {
    const { batches, batcher, release } = recording({ size: 100, concurrency: 2, beside: 3 });
    void batcher.submit(1);
    await turn();
    const answer = batcher.submit(2);
    while (batches.length < 2) await turn();
    release();
    await answer;
    expect(batches).toEqual([[1], [2]]);
  });

  it('should tell every caller of a batch that failed, and go on', async () => {
    let calls = 0;
    const batcher = new Batcher<number, number>(
      (items) => (calls++ === 0 ? Promise.reject(new Error('away')) : Promise.resolve(items)),
      { size: 10, concurrency: 1 },
    );
    await expect(Promise.all([batcher.submit(1), batcher.submit(2)])).rejects.toThrow('away');
    await expect(batcher.submit(3)).resolves.toBe(3);
  });

  describe('when a batch fails', () => {
    const failing = (mayBeOfOne: boolean): { calls: number[][]; batcher: Batcher<number, string> } => {
      const calls: number[][] = [];
      const flush = (items: number[]): Promise<string[]> => {
        calls.push(items);
        return items.includes(2) ? Promise.reject(new Error('2')) : Promise.resolve(items.map(String));
      };
      return { calls, batcher: new Batcher(flush, { size: 100, concurrency: 1 }, () => mayBeOfOne) };
    };
    const outcomes = async (batcher: Batcher<number, string>): Promise<string[]> =>
      (await Promise.allSettled([1, 2, 3].map((item) => batcher.submit(item)))).map(({ status }) => status);

    it('should not let one item take the others with it', async () => {
      const { calls, batcher } = failing(true);
      expect(await outcomes(batcher)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(calls).toEqual([[1, 2, 3], [1], [2], [3]]);
    });

    it('should ask once where it is not the fault of one item', async () => {
      const { calls, batcher } = failing(false);
      expect(await outcomes(batcher)).toEqual(['rejected', 'rejected', 'rejected']);
      expect(calls).toEqual([[1, 2, 3]]);
    });
  });
});
