import { GroupedBatches } from './grouped-batches.js';

interface Item {
  readonly group: string;
  readonly weight: number;
}

describe('GroupedBatches', () => {
  let started: { batch: Item[]; onEnd: () => void }[];
  let batches: GroupedBatches<Item>;

  beforeEach(() => {
    started = [];
    batches = new GroupedBatches<Item>({
      groupOf: ({ group }) => group,
      weightOf: ({ weight }) => weight,
      size: 10,
      concurrency: 2,
      start: (batch, onEnd) => started.push({ batch, onEnd }),
    });
  });

  const items = (group: string, ...weights: number[]): Item[] => weights.map((weight) => ({ group, weight }));
  const weights = (): number[][] => started.map(({ batch }) => batch.map(({ weight }) => weight));

  it('should start what comes first at once, with as much as a batch takes', () => {
    batches.add(items('a', 4, 4, 4));
    expect(weights()).toEqual([[4, 4], [4]]);
  });

  it('should collect while the limit of the group is reached', () => {
    batches.add(items('a', 1));
    batches.add(items('a', 2));
    batches.add(items('a', 3));
    batches.add(items('a', 4));
    expect(weights()).toEqual([[1], [2]]);
    started[1]?.onEnd();
    expect(weights()).toEqual([[1], [2], [3, 4]]);
  });

  it('should not let one group wait for another', () => {
    batches.add([...items('a', 10, 10, 10), ...items('b', 1)]);
    expect(weights()).toEqual([[10], [10], [1]]);
  });

  it('should start an item that is too heavy for a batch on its own', () => {
    batches.add(items('a', 99, 1));
    expect(weights()).toEqual([[99], [1]]);
  });

  it('should begin anew after everything has ended', () => {
    batches.add(items('a', 1));
    started[0]?.onEnd();
    batches.add(items('a', 2));
    expect(weights()).toEqual([[1], [2]]);
  });
});
