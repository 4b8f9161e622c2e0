import { EventWaits } from './event-waits.js';

const tenant = (environmentId: string) =>
  ({ environmentId, organizationId: 'o', userId: 'u', apiKeyId: 'k', scopes: [] }) as const;
const stays = (): (() => void) => () => undefined;

function event(endsAfter = Infinity): { reads: number; read: () => Promise<{ ended: boolean }> } {
  const state = { reads: 0, read: () => Promise.resolve({ ended: ++state.reads > endsAfter }) };
  return state;
}

describe('EventWaits', () => {
  it('should read until the event has ended', async () => {
    const { read } = event(3);
    expect(await new EventWaits().until(tenant('a'), 30, read, stays)).toEqual({ ended: true });
  });

  it('should read once without a time to wait', async () => {
    const running = event();
    expect(await new EventWaits().until(tenant('a'), 0, running.read, stays)).toEqual({ ended: false });
    expect(running.reads).toBe(1);
  });

  it('should answer with the last state when the time is over', async () => {
    expect(await new EventWaits().until(tenant('a'), 0.1, event().read, stays)).toEqual({ ended: false });
  });

  it('should end all waits when Herald stops, and let nobody wait from then on', async () => {
    const waits = new EventWaits();
    const waiting = [1, 2, 3].map(() => waits.until(tenant('a'), 30, event().read, stays));
    await Promise.resolve();
    waits.onModuleDestroy();
    expect(await Promise.all(waiting)).toEqual([1, 2, 3].map(() => ({ ended: false })));
    expect(await waits.until(tenant('a'), 30, event().read, stays)).toEqual({ ended: false });
  });

  it('should end a wait whose caller has gone', async () => {
    const gone: (() => void)[] = [];
    const waiting = new EventWaits().until(tenant('a'), 30, event().read, (listener) => {
      gone.push(listener);
      return () => gone.pop();
    });
    await new Promise((resolve) => setImmediate(resolve));
    gone[0]?.();
    expect(await waiting).toEqual({ ended: false });
    expect(gone).toEqual([]);
  });

  it('should let 20 requests of an environment wait, and answer further ones at once', async () => {
    const waits = new EventWaits();
    const waiting = Array.from({ length: 20 }, () => waits.until(tenant('a'), 30, event().read, stays));
    await new Promise((resolve) => setImmediate(resolve));
    expect(await waits.until(tenant('a'), 30, event().read, stays)).toEqual({ ended: false });
    const other = waits.until(tenant('b'), 30, event(1).read, stays);
    expect(await other).toEqual({ ended: true });
    waits.onModuleDestroy();
    await Promise.all(waiting);
  });

  it('should pass on what a read throws, and free the place', async () => {
    const waits = new EventWaits();
    for (let time = 0; time < 25; time++) {
      let reads = 0;
      const read = (): Promise<{ ended: boolean }> =>
        ++reads === 1 ? Promise.resolve({ ended: false }) : Promise.reject(new Error('The store is away.'));
      await expect(waits.until(tenant('a'), 30, read, stays)).rejects.toThrow('away');
      expect(reads).toBe(2);
    }
  });
});
