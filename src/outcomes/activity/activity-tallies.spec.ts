import { finalAge, recountAfter } from './activity-tallies.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const at = new Date('2026-03-01T10:00:00Z');

function recounts(finalMs: number, since = at): Date[] {
  const found: Date[] = [];
  for (let next = recountAfter(at, since, finalMs); next; next = recountAfter(at, next, finalMs)) found.push(next);
  return found;
}
const hoursAfter = (dates: readonly Date[]): number[] =>
  dates.map((date) => Math.floor((date.getTime() - at.getTime()) / HOUR_MS));

describe('recountAfter', () => {
  it('should be a minute after the end of an hour, and then whenever its age has doubled', () => {
    const found = recounts(finalAge(30, false));
    expect(found[0]).toEqual(new Date('2026-03-01T11:01:00Z'));
    expect(hoursAfter(found)).toEqual([1, 2, 4, 8, 16, 32, 65, 130, 260]);
  });

  it('should go on for hours with runs that have not ended', () => {
    expect(hoursAfter(recounts(finalAge(0, true)))).toEqual([1, 2, 4, 8, 16, 32, 65, 130, 260, 520]);
  });

  it('should end before the records of the hour are removed', () => {
    const found = recounts(finalAge(1, true));
    expect(Math.max(...found.map((date) => date.getTime()))).toBeLessThan(at.getTime() + DAY_MS);
  });

  it('should be never for what is old when it is counted first', () => {
    expect(recounts(finalAge(0, true), new Date(at.getTime() + 40 * DAY_MS))).toEqual([]);
  });
});
