import { keyOf, keysOf, shardsOf } from './record-key.js';

interface Row {
  _id: number;
  by: string;
  at?: string;
}

const FIELDS = ['by', 'at'] as const;

describe('keyOf', () => {
  it('should name the record and its shard', () => {
    const row: Row & { more: string } = { _id: 1, by: 'a', at: 'x', more: 'y' };
    expect(keyOf(row, FIELDS)).toEqual({ _id: 1, by: 'a', at: 'x' });
  });

  it('should leave out what is not known', () => {
    expect(keyOf<Row>({ _id: 1, by: 'a' }, FIELDS)).toEqual({ _id: 1, by: 'a' });
  });
});

describe('keysOf', () => {
  it('should name the records and each value of a field once', () => {
    const rows: Row[] = [
      { _id: 1, by: 'a', at: 'x' },
      { _id: 2, by: 'a', at: 'y' },
      { _id: 3, by: 'a', at: 'x' },
    ];
    expect(keysOf(rows, FIELDS)).toEqual({ _id: { $in: [1, 2, 3] }, by: 'a', at: { $in: ['x', 'y'] } });
  });

  it('should name nothing else where there are no records', () => {
    expect(keysOf<Row>([], FIELDS)).toEqual({ _id: { $in: [] } });
  });
});

describe('shardsOf', () => {
  it('should leave out a field that some records lack, and one with many values', () => {
    const rows = Array.from({ length: 17 }, (_, n): Row => ({ _id: n, by: 'a', at: String(n) }));
    expect(shardsOf<Row>(rows, FIELDS)).toEqual({ by: 'a' });
    expect(shardsOf<Omit<Row, '_id'>>([{ by: 'a', at: 'x' }, { by: 'a' }], FIELDS)).toEqual({ by: 'a' });
    expect(shardsOf<Row>(rows.slice(1), FIELDS)).toHaveProperty('at.$in.length', 16);
  });
});
