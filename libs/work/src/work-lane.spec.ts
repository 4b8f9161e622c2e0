import { WorkLane } from './work-lane.js';

const laneOf = (concurrency: number, perGroup: number, holdFactor: number): WorkLane =>
  new WorkLane({ concurrency, concurrencyPerGroup: perGroup, holdFactor });

/** Enters, and notes the name when it does. */
function entering(lane: WorkLane, log: string[], group: string, name: string): Promise<void> {
  return lane.enter(group).then((turn) => void log.push(turn === 'closed' ? `${name} closed` : name));
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('WorkLane', () => {
  it('should hold several times as much as it runs, and leave room for other groups', () => {
    const lane = laneOf(2, 1, 3);
    expect([1, 2, 3, 4].map(() => lane.tryTake('a'))).toEqual([true, true, true, false]);
    expect({ free: lane.free, a: lane.freeFor('a'), b: lane.freeFor('b') }).toEqual({ free: 3, a: 0, b: 3 });
  });

  it('should run no more at a time than its limits, in order, while groups take turns', async () => {
    const lane = laneOf(2, 2, 10);
    const log: string[] = [];
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1']) void entering(lane, log, name.charAt(0), name);
    await settle();
    expect(log).toEqual(['a1', 'a2']);
    lane.leave('a');
    lane.leave('a');
    await settle();
    expect(log).toEqual(['a1', 'a2', 'a3', 'b1']);
    lane.leave('b');
    await settle();
    expect(log.at(-1)).toBe('a4');
  });

  it('should not let a group begin above its own limit while others wait', async () => {
    const lane = laneOf(2, 1, 10);
    const log: string[] = [];
    for (const name of ['a1', 'a2', 'b1', 'b2']) void entering(lane, log, name.charAt(0), name);
    await settle();
    expect(log).toEqual(['a1', 'b1']);
    lane.leave('b');
    await settle();
    expect(log).toEqual(['a1', 'b1', 'b2']);
  });

  it('should say whether work has waited', async () => {
    const lane = laneOf(1, 1, 10);
    await expect(lane.enter('a')).resolves.toBe('at_once');
    const waiting = lane.enter('a');
    lane.leave('a');
    await expect(waiting).resolves.toBe('after_waiting');
  });

  it('should ask for a claim when half of what a full group may hold is free', () => {
    const lane = laneOf(4, 2, 3);
    for (let taken = 0; taken < 6; taken += 1) lane.take('a');
    expect([1, 2, 3, 4].map(() => lane.release('a'))).toEqual([false, false, true, false]);
    lane.take('b');
    expect(lane.release('b')).toBe(false);
  });

  it('should claim nothing for a group that holds more than half of its share', () => {
    const lane = laneOf(4, 2, 3);
    for (let taken = 0; taken < 4; taken += 1) lane.take('a');
    expect([lane.freeFor('a'), lane.freeFor('b'), lane.tryTake('a')]).toEqual([0, 6, true]);
    lane.release('a');
    expect(lane.release('a')).toBe(true);
    expect(lane.freeFor('a')).toBe(3);
  });

  it('should ask for a claim at each free slot where it holds no more than it runs', () => {
    const lane = laneOf(2, 2, 1);
    lane.take('a');
    lane.take('a');
    expect([lane.release('a'), lane.release('a')]).toEqual([true, false]);
  });

  it('should let nothing begin and hold nothing more when it is closed, until it is opened', async () => {
    const lane = laneOf(1, 1, 10);
    const log: string[] = [];
    for (const name of ['a1', 'a2', 'b1']) void entering(lane, log, name.charAt(0), name);
    lane.close();
    await entering(lane, log, 'a', 'a3');
    expect(log).toEqual(['a1', 'a2 closed', 'b1 closed', 'a3 closed']);
    expect({ free: lane.free, b: lane.freeFor('b'), taken: lane.tryTake('b') }).toEqual({
      free: 0,
      b: 0,
      taken: false,
    });
    lane.leave('a');
    lane.open();
    await entering(lane, log, 'a', 'a4');
    expect(log.at(-1)).toBe('a4');
  });
});
