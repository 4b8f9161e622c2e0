import { isWithin } from './is-within.js';

describe('isWithin', () => {
  it('should mark the link of a page and of the pages below it', () => {
    const activity = { path: '/', below: ['/notifications'] };
    expect(['/', '/notifications/1', '/replays', '/notificationsx'].map((path) => isWithin(path, activity))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(['/replays', '/replays/1'].map((path) => isWithin(path, { path: '/replays' }))).toEqual([true, true]);
  });
});
