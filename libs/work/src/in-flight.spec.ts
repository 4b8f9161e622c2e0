import { InFlight } from './in-flight.js';

const item = { name: 'one' };

describe('InFlight', () => {
  it('should keep what one piece of work hands on to the next before it ends', async () => {
    let now = 0;
    const inFlight = new InFlight(() => now);
    inFlight.add(item);
    inFlight.add(item);
    inFlight.delete(item);
    now = 10;
    expect(inFlight.olderThan(10)).toEqual([item]);
    const settled = inFlight.settle(60_000);
    inFlight.delete(item);
    expect(await settled).toEqual([]);
    expect(inFlight.size).toBe(0);
  });

  it('should name what takes long once in that time', () => {
    let now = 0;
    const inFlight = new InFlight(() => now);
    inFlight.add(item);
    now = 5;
    expect(inFlight.olderThan(5)).toEqual([item]);
    expect(inFlight.olderThan(5)).toEqual([]);
  });

  it('should say what is still at work when the time is over', async () => {
    const inFlight = new InFlight(() => 0);
    inFlight.add(item);
    expect(await inFlight.settle(1)).toEqual([item]);
  });

  it('should say when some of it has been left, whatever else is at work', async () => {
    const inFlight = new InFlight(() => 0);
    const other = { ...item };
    inFlight.add(item);
    inFlight.add(other);
    const left = inFlight.left([item]);
    inFlight.delete(item);
    await left;
    await inFlight.left([item]);
    expect(inFlight.size).toBe(1);
  });
});
