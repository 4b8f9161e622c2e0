import { FailPoint } from './fail-point.js';

describe('FailPoint', () => {
  it('should do nothing unless it is armed', async () => {
    const point = new FailPoint<number>('somewhere');
    const seen: number[] = [];
    await point.pass(1);
    point.arm((value) => Promise.resolve(seen.push(value)));
    await point.pass(2);
    await point.pass(3);
    point.disarm();
    await point.pass(4);
    expect(seen).toEqual([2, 3]);
  });

  it('should fail once where a test says so', async () => {
    const point = new FailPoint('somewhere');
    point.armOnce(() => Promise.reject(new Error('now')));
    await expect(point.pass()).rejects.toThrow('now');
    await expect(point.pass()).resolves.toBeUndefined();
  });
});
