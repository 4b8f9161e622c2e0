import { IdleMemory, type ProcessMemory } from './idle-memory.js';

const MB = 1_048_576;

class FakeMemory implements ProcessMemory {
  bytes = 130 * MB;
  used = 0;
  collected = 0;
  /** What each collection leaves. */
  left: number[] = [];

  resident(): number {
    return this.bytes;
  }

  cpuMs(): number {
    return this.used;
  }

  collect(): void {
    this.collected += 1;
    this.used += 100;
    this.bytes = (this.left.shift() ?? this.bytes / MB) * MB;
  }
}

describe('IdleMemory', () => {
  let memory: FakeMemory;
  let idle: IdleMemory;

  beforeEach(() => {
    memory = new FakeMemory();
    idle = new IdleMemory(memory);
  });

  const look = (cpuMs: number): number => {
    memory.used += cpuMs;
    idle.look(1_000);
    return memory.collected;
  };

  const start = (): void => {
    memory.left = [128, 125, 122, 120];
    for (let looks = 0; looks < 7; looks += 1) look(0);
    memory.collected = 0;
    for (let looks = 0; looks < 3; looks += 1) look(1_000);
  };
  const MINUTE = Array.from({ length: 11 }, () => 10);
  const collectedAfter = (looks: readonly number[]): number | undefined => looks.map(look).at(-1);

  it('should collect what the start left, once the process is idle for three looks', () => {
    memory.left = [128, 125, 122, 120];
    expect([500, 60, 0, 0, 0, 0, 0, 0, 0, 0].map(look)).toEqual([0, 0, 0, 0, 1, 2, 3, 4, 4, 4]);
  });

  it('should collect after a peak and a minute, until the memory is near that of the first rest', () => {
    start();
    memory.bytes = 400 * MB;
    memory.left = [390, 300, 150];
    expect(collectedAfter(MINUTE)).toBe(0);
    expect([10, 10, 10, 10, 10].map(look)).toEqual([1, 2, 3, 3, 3]);
  });

  it('should leave a process alone that has work', () => {
    start();
    memory.bytes = 400 * MB;
    expect(collectedAfter([60, 1_000, ...MINUTE])).toBe(0);
    expect(look(10)).toBe(1);
    expect(look(60)).toBe(1);
  });

  it('should leave a process alone that pauses between its requests', () => {
    start();
    memory.bytes = 400 * MB;
    expect(collectedAfter([...MINUTE, 500, ...MINUTE, 500, ...MINUTE])).toBe(0);
  });

  it('should leave a process alone that needs little more than at its first rest', () => {
    start();
    memory.bytes = 160 * MB;
    expect(collectedAfter([...MINUTE, 0, 0, 0])).toBe(0);
  });

  it('should end when the rest is in use, and begin again after the next peak', () => {
    start();
    memory.bytes = 400 * MB;
    expect(collectedAfter(MINUTE)).toBe(0);
    expect(Array.from({ length: 8 }, () => look(0))).toEqual([1, 2, 3, 4, 4, 4, 4, 4]);
    memory.bytes = 500 * MB;
    memory.left = [420];
    expect(collectedAfter([500, ...MINUTE])).toBe(4);
    expect([look(0), look(0)]).toEqual([5, 5]);
  });
});
