import { atOnce } from '#libs/worker-pool';
import { LinkedPage, Page, Rows, writePage } from './page.js';

describe('writePage', () => {
  it.each<[Rows<unknown>]>([
    [new Page([], 0, 10, false)],
    [new Page([{ a: 1 }, { at: new Date(0), gone: undefined }], 2, 2, true, 7)],
    [new Page(['text', null], 0, 10, false, 0)],
    [new Rows([{ a: 1 }])],
    [new Rows([], { meta: { failed: 1 } })],
    [LinkedPage.of({ rows: [1], next: 'n', previous: null }, String, 1)],
  ])('should write what the built-in serializer writes of %j', (page) => {
    expect(JSON.parse(atOnce(writePage(page)))).toEqual(JSON.parse(JSON.stringify(page)));
  });

  it('should let others have their turn between large rows', () => {
    const large = { text: 'x'.repeat(200_000) };
    const work = writePage(new Page([large, large, large], 0, 10, false));
    expect([work.next().done, work.next().done, work.next().done]).toEqual([false, false, true]);
  });

  it('should let others have their turn between many small rows', () => {
    const work = writePage(
      new Page(
        Array.from({ length: 3_000 }, () => 'x'.repeat(100)),
        0,
        3_000,
        false,
      ),
    );
    let turns = 1;
    while (work.next().done !== true) turns += 1;
    expect(turns).toBe(4);
  });

  it('should write a small page at once', () => {
    expect(writePage(new Page([1, 2, 3], 0, 10, false)).next().done).toBe(true);
  });
});

describe('LinkedPage', () => {
  const found = { rows: [], next: null, previous: null };

  it.each([
    [0, 0, false],
    [50_000, 50_000, false],
    [50_001, 50_000, true],
  ])('should tell of %d rows that there are %d, capped: %j', (counted, totalCount, totalCountCapped) => {
    expect(LinkedPage.of(found, String, counted)).toMatchObject({ totalCount, totalCountCapped });
  });

  it('should refuse the cursor of another list', () => {
    expect(() => LinkedPage.of(undefined, String, 0)).toThrow('after must be the `next`');
  });
});
