import fc from 'fast-check';
import { fromCursor, isBefore, merged, type Place, toCursor } from './merged.js';

type Row = { readonly place: Place };

async function* listOf(rows: readonly Row[]): AsyncGenerator<Row> {
  for (const row of rows) yield await Promise.resolve(row);
}
const inOrder = (rows: readonly Row[]): Row[] => rows.toSorted((a, b) => (isBefore(a.place, b.place) ? -1 : 1));

describe('merged', () => {
  const row = fc
    .record({ time: fc.nat(3), id: fc.uuid() })
    .map(({ time, id }): Row => ({ place: { since: new Date(time), id } }));

  it('should be the order of all rows together', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(row, { maxLength: 6 }), { maxLength: 4 }), async (lists) => {
        const found: Row[] = [];
        for await (const one of merged(lists.map((list) => listOf(inOrder(list))))) found.push(one);
        expect(found).toEqual(inOrder(lists.flat()));
      }),
    );
  });

  it('should close lists that are not read to their end', async () => {
    let closed = 0;
    async function* endless(): AsyncGenerator<Row> {
      try {
        for (let time = 100; ; time--) yield await Promise.resolve({ place: { since: new Date(time), id: 'a' } });
      } finally {
        closed += 1;
      }
    }
    for await (const one of merged([endless(), endless()])) {
      expect(one.place.since).toEqual(new Date(100));
      break;
    }
    expect(closed).toBe(2);
  });
});

describe('cursors', () => {
  it('should name a place, and refuse what is none', () => {
    const place = { since: new Date(1_700_000_000_000), id: `address-${'a'.repeat(24)}-email` };
    expect(fromCursor(toCursor(place))).toEqual(place);
    for (const text of ['', 'x', Buffer.from('1 x').toString('base64url')]) expect(fromCursor(text)).toBeUndefined();
  });
});
