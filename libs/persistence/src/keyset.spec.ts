import { Types } from 'mongoose';
import { CREATION, type KeysetOrder, type KeysetWindow, linkedRows, type LinkedRows, type Range } from './keyset.js';

interface Row {
  readonly _id: Types.ObjectId;
  readonly createdAt: Date;
}

const NEWEST: KeysetOrder = { fields: CREATION, direction: 'DESC' };
const OLDEST: KeysetOrder = { fields: CREATION, direction: 'ASC' };

/** Three rows at each millisecond. */
const rowAt = (at: number): Row => ({
  _id: new Types.ObjectId(at.toString(16).padStart(24, '0')),
  createdAt: new Date(Math.floor(at / 3)),
});
const placeOf = ({ _id }: Row): number => parseInt(_id.toHexString(), 16);
const valueOf = (value: unknown): number =>
  value instanceof Date ? value.getTime() : parseInt((value as Types.ObjectId).toHexString(), 16);

function matches(row: Row, where: Range['where']): boolean {
  return Object.entries(where).every(([name, wanted]) => {
    if (name === '$or') return (wanted as Range['where'][]).some((branch) => matches(row, branch));
    const value = valueOf(row[name as keyof Row]);
    if (wanted instanceof Date || wanted instanceof Types.ObjectId) return value === valueOf(wanted);
    return Object.entries(wanted as object).every(([operator, bound]) => {
      const by = value - valueOf(bound);
      return { $lt: by < 0, $lte: by <= 0, $gt: by > 0, $gte: by >= 0 }[operator] ?? false;
    });
  });
}

/** What the store does. */
const reader =
  (rows: readonly Row[]) =>
  ({ where, sort, limit }: Range): Promise<Row[]> => {
    const way = sort['_id'] ?? 1;
    const found = rows.filter((row) => matches(row, where)).sort((a, b) => way * (placeOf(a) - placeOf(b)));
    return Promise.resolve(found.slice(0, limit));
  };

const page = async (rows: readonly Row[], window: Partial<KeysetWindow>, order = NEWEST): Promise<LinkedRows<Row>> => {
  const found = await linkedRows(order, { limit: 3, ...window }, reader(rows));
  if (found === undefined) throw new Error('The cursor is of another order.');
  return found;
};
const shown = ({ rows }: LinkedRows<Row>): number[] => rows.map(placeOf);
const ROWS = [0, 1, 2, 3, 4, 5, 6, 7].map(rowAt);

describe('linkedRows', () => {
  it.each([
    [
      NEWEST,
      [
        [7, 6, 5],
        [4, 3, 2],
        [1, 0],
      ],
    ],
    [
      OLDEST,
      [
        [0, 1, 2],
        [3, 4, 5],
        [6, 7],
      ],
    ],
  ])('should show each row once, there and back: %j', async (order, pages) => {
    const first = await page(ROWS, {}, order);
    const second = await page(ROWS, { after: first.next }, order);
    const third = await page(ROWS, { after: second.next }, order);
    expect([first, second, third].map(shown)).toEqual(pages);
    expect([first.previous, third.next]).toEqual([null, null]);
    const back = await page(ROWS, { before: third.previous }, order);
    const start = await page(ROWS, { before: back.previous }, order);
    expect([back, start].map(shown)).toEqual([pages[1], pages[0]]);
    expect(start.previous).toBeNull();
    expect(shown(await page(ROWS, { after: start.next }, order))).toEqual(pages[1]);
  });

  it('should neither repeat nor miss a row while others come and go', async () => {
    const first = await page(ROWS, {});
    const changed = ROWS.filter((row) => ![5, 3].includes(placeOf(row))).concat(rowAt(8), rowAt(9));
    expect(shown(await page(changed, { after: first.next }))).toEqual([4, 2, 1]);
    const second = await page(ROWS, { after: first.next });
    expect(shown(await page(changed, { before: second.previous }))).toEqual([8, 7, 6]);
  });

  it('should lead back from a page that was emptied', async () => {
    const first = await page(ROWS, {});
    const emptied = await page(ROWS.slice(5), { after: first.next });
    expect([shown(emptied), emptied.next]).toEqual([[], null]);
    expect(shown(await page(ROWS.slice(5), { before: emptied.previous }))).toEqual([7, 6, 5]);
    const last = await page(ROWS, { after: first.next });
    const begun = await page(ROWS.slice(0, 5), { before: last.previous });
    expect([shown(begun), begun.previous]).toEqual([[], null]);
    expect(shown(await page(ROWS.slice(0, 5), { after: begun.next }))).toEqual([4, 3, 2]);
  });

  it('should show the row of the cursor as well if asked for', async () => {
    const first = await page(ROWS, {});
    const second = await page(ROWS, { after: first.next, includeCursor: true });
    expect(shown(second)).toEqual([5, 4, 3]);
    expect(shown(await page(ROWS, { before: second.previous, includeCursor: true }))).toEqual([7, 6, 5]);
  });

  const encoded = (...parts: unknown[]): string => Buffer.from(JSON.stringify(parts)).toString('base64url');

  it('should know its own cursors only', async () => {
    const { next } = await page(ROWS, {});
    const text: KeysetOrder = { fields: { _id: 'text' }, direction: 'DESC' };
    const foreign = [
      [OLDEST, next],
      [text, next],
      [NEWEST, 'x'],
      [NEWEST, '64f0c1a2b3c4d5e6f7a8b9c0'],
      [NEWEST, encoded('DESC createdAt,_id', 0, 1)],
      [NEWEST, encoded('DESC createdAt,_id', 0, 1, { $gt: '' })],
      [NEWEST, encoded('DESC createdAt,_id', 0, 1e300, '64f0c1a2b3c4d5e6f7a8b9c0')],
      [NEWEST, encoded('DESC createdAt,_id', 0, null, '64f0c1a2b3c4d5e6f7a8b9c0')],
      [text, encoded('DESC _id', 0, ['a'])],
    ] as const;
    for (const [order, after] of foreign) {
      expect([after, await linkedRows(order, { after, limit: 3 }, reader(ROWS))]).toEqual([after, undefined]);
      expect([after, await linkedRows(order, { before: after, limit: 3 }, reader(ROWS))]).toEqual([after, undefined]);
    }
  });
});
