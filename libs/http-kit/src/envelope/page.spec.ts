import { atOnce } from '#libs/worker-pool';
import { Page, writePage } from './page.js';

describe('writePage', () => {
  it.each<[Page<unknown>]>([
    [new Page([], 0, 10, false)],
    [new Page([{ a: 1 }, { at: new Date(0), gone: undefined }], 2, 2, true, 7)],
    [new Page(['text', null], 0, 10, false, 0)],
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
