import { Types } from 'mongoose';
import { type MasterPart, sameMark, standingOf } from './digest-collector.js';

const master = (more: Partial<MasterPart>): MasterPart => ({ _id: new Types.ObjectId(), status: 'active', ...more });
const marked = (digestCollected?: number | true): { digestCollected?: number | true } =>
  digestCollected === undefined ? {} : { digestCollected };

describe('how a run stands to the master that it has named', () => {
  it.each([
    ['joined', 'an open master', marked(), master({ digestSlot: 'a' })],
    ['left out', 'a master that leads another digest now', marked(), master({ digestSlot: 'b' })],
    ['left out', 'a master that is gone', marked(1), undefined],
    ['left out', 'a master that closes and has not marked it', marked(), master({ digestEpoch: 1 })],
    ['counted', 'the latest pass', marked(1), master({ digestEpoch: 1 })],
    ['left out', 'a pass that another one has followed', marked(1), master({ digestEpoch: 2 })],
    ['left out', 'the latest pass of a master that is over', marked(1), master({ digestEpoch: 1, status: 'failed' })],
    [
      'counted',
      'the pass that has closed it',
      marked(2),
      master({ digestEpoch: 2, digestClosed: 2, status: 'completed' }),
    ],
    ['left out', 'a late pass', marked(1), master({ digestEpoch: 2, digestClosed: 2 })],
    ['counted', 'the latest pass over a second digest', marked(3), master({ digestEpoch: 3, digestClosed: 2 })],
    ['counted', 'a version that numbered no passes', marked(true), master({ status: 'completed' })],
  ] as const)('should be %s with %s', (expected, _what, own, its) => {
    expect(standingOf(own, its, 'a')).toBe(expected);
  });

  it('should find a record again only while its mark is the same', () => {
    expect(sameMark(marked(3))).toEqual({ digestCollected: 3 });
    expect(sameMark(marked())).toEqual({ digestCollected: { $exists: false } });
  });
});
