import { Types } from 'mongoose';
import { ManualClock } from '#libs/common';
import { Background } from './background.js';
import { ClaimedWork } from './claimed-work.js';
import { InFlight } from './in-flight.js';
import { SuspectRules, Suspects } from './suspects.js';
import type { Claimable, WorkQueue } from './work-queue.js';

const rules = new SuspectRules(5);

const record = (suspicion: Omit<Claimable, '_id'> = {}): Claimable => ({ _id: new Types.ObjectId(), ...suspicion });

/** A queue of records in memory that notes what is done with them. */
class FakeQueue {
  due: Claimable[] = [];
  waiting: Claimable[] = [];
  readonly calls: [string, readonly Claimable[]][] = [];
  readonly suspects = {
    rules,
    find: (): Promise<Claimable[]> => Promise.resolve([...this.waiting]),
    claim: (heads: readonly Claimable[]): Promise<Claimable[]> => {
      const claimed = this.waiting.filter((one) => heads.includes(one));
      this.waiting = this.waiting.filter((one) => !heads.includes(one));
      return Promise.resolve(claimed);
    },
    release: this.noting('end of trial'),
  };

  claimDue(): Promise<{ records: Claimable[]; parked: number }> {
    return Promise.resolve({ records: this.due.splice(0), parked: 0 });
  }

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
      suspects: new Suspects({ clock: new ManualClock(), maxBlockMs: 60_000 }),
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

  it('should begin what is clean and a group of suspects, and set aside what is hopeless', async () => {
    const [clean, hopeless] = [record(), record({ takenUp: 5 })];
    const suspects = [record({ suspectGroup: 2 }), record({ suspectGroup: 2 })];
    queue.due = [clean, hopeless];
    queue.waiting = [...suspects, record({ suspectGroup: 2 })];
    expect(await newWork().claim()).toBe(4);
    await background.settle();
    expect(begun).toHaveLength(2);
    expect(begun[0]).toEqual([clean]);
    expect(begun[1]).toHaveLength(2);
    expect(setAside).toEqual([[hopeless]]);
  });

  it('should try the next group only when the one before has left the process', async () => {
    const [first, second] = [record({ suspectGroup: 1 }), record({ suspectGroup: 1 })];
    const work = newWork(([one]) => {
      if (one !== undefined) inFlight.add(one);
      return Promise.resolve();
    });
    let ended = 0;
    work.whenTried(() => (ended += 1));
    queue.waiting = [first];
    await work.claim();
    queue.waiting = [second];
    await work.claim();
    expect(begun).toEqual([[first]]);
    inFlight.delete(first);
    await background.settle();
    expect(ended).toBe(1);
    await work.claim();
    expect(begun).toEqual([[first], [second]]);
  });

  it('should report errors and go on with the next suspect', async () => {
    const [first, second] = [record({ suspectGroup: 1 }), record({ suspectGroup: 1 })];
    const work = newWork(([one]) => (one === first ? Promise.reject(new Error('no')) : Promise.resolve()));
    queue.waiting = [first];
    await work.claim();
    await background.settle();
    expect(errors).toEqual([new Error('no')]);
    queue.waiting = [second];
    await work.claim();
    expect(begun).toEqual([[first], [second]]);
  });

  it('should renew what takes long and every suspect, and give back what does not end in time', async () => {
    const [slow, suspect] = [record(), record({ suspectGroup: 3 })];
    const work = newWork(([one]) => {
      if (one !== undefined) inFlight.add(one);
      return Promise.resolve();
    });
    await work.renew(0);
    expect(queue.calls).toEqual([]);
    inFlight.add(slow);
    await work.renew(0);
    queue.waiting = [suspect];
    await work.claim();
    await work.renew(60_000);
    inFlight.delete(suspect);
    await background.settle();
    await work.renew(60_000);
    await work.settle(1);
    expect(queue.calls).toEqual([
      ['renew', [slow]],
      ['renew', [suspect]],
      ['end of trial', [suspect]],
      ['release', [slow]],
    ]);
  });
});
