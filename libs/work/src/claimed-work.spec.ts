import { Types } from 'mongoose';
import { ManualClock } from '#libs/common';
import { Background } from './background.js';
import { ClaimedWork } from './claimed-work.js';
import { InFlight } from './in-flight.js';
import { Suspects } from './suspects.js';
import type { Claimable, WorkQueue } from './work-queue.js';

const RULES = { suspectClaims: 2, maxClaims: 5, maxBlockMs: 60_000 };

const taken = (takenUp: number): Claimable => ({ _id: new Types.ObjectId(), takenUp });

/** A queue of records in memory that notes what is done with them. */
class FakeQueue {
  due: Claimable[] = [];
  readonly calls: [string, readonly Claimable[]][] = [];

  claim(): Promise<Claimable[]> {
    return Promise.resolve(this.due.splice(0));
  }

  postpone = this.noting('postpone');
  count = this.noting('count');
  release = this.noting('release');
  renew = this.noting('renew');

  private noting(name: string): (records: readonly Claimable[]) => Promise<void> {
    return (records) => {
      this.calls.push([name, records]);
      return Promise.resolve();
    };
  }
}

describe('ClaimedWork', () => {
  let queue: FakeQueue;
  let errors: unknown[];
  let background: Background;
  let inFlight: InFlight<Claimable>;
  let begun: Claimable[][];
  let setAside: Claimable[][];

  beforeEach(() => {
    queue = new FakeQueue();
    errors = [];
    background = new Background((error) => errors.push(error));
    inFlight = new InFlight<Claimable>();
    begun = [];
    setAside = [];
  });
  const newWork = (begin: (records: Claimable[]) => Promise<void> = () => Promise.resolve()): ClaimedWork<Claimable> =>
    new ClaimedWork({
      queue: queue as unknown as WorkQueue<Claimable>,
      suspects: new Suspects(RULES, new ManualClock()),
      inFlight,
      background,
      capacity: () => new Map(),
      begin: (records) => {
        begun.push(records);
        return begin(records);
      },
      setAside: (records) => {
        setAside.push(records);
        return Promise.resolve();
      },
    });

  it('should begin what is clean, count suspects, and set aside what was taken up too often', async () => {
    const [clean, suspect, other, hopeless] = [taken(0), taken(3), taken(4), taken(6)];
    queue.due = [clean, suspect, other, hopeless];
    expect(await newWork().claim()).toBe(4);
    await background.settle();
    expect(begun).toEqual([[clean], [suspect]]);
    expect(setAside).toEqual([[hopeless]]);
    expect(queue.calls).toEqual([
      ['postpone', [other]],
      ['count', [suspect]],
    ]);
  });

  it('should begin the next suspect only when the one before has left the process', async () => {
    const [first, second] = [taken(3), taken(3)];
    const work = newWork(([record]) => {
      if (record !== undefined) inFlight.add(record);
      return Promise.resolve();
    });
    queue.due = [first];
    await work.claim();
    queue.due = [second];
    await work.claim();
    expect(begun).toEqual([[first]]);
    inFlight.delete(first);
    await background.settle();
    queue.due = [second];
    await work.claim();
    expect(begun).toEqual([[first], [second]]);
  });

  it('should report errors and go on with the next suspect', async () => {
    const [first, second] = [taken(3), taken(3)];
    const work = newWork(([record]) => (record === first ? Promise.reject(new Error('no')) : Promise.resolve()));
    queue.due = [first];
    await work.claim();
    await background.settle();
    expect(errors).toEqual([new Error('no')]);
    queue.due = [second];
    await work.claim();
    expect(begun).toEqual([[first], [second]]);
  });

  it('should renew what takes long, and give back what does not end in time', async () => {
    const slow = taken(0);
    const work = newWork();
    await work.renew(0);
    expect(queue.calls).toEqual([]);
    inFlight.add(slow);
    await work.renew(0);
    await work.settle(1);
    expect(queue.calls).toEqual([
      ['renew', [slow]],
      ['release', [slow]],
    ]);
  });
});
