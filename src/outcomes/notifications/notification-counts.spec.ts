import { pieces } from './notification-counts.js';

const HOUR = 3_600_000;

describe('pieces', () => {
  it('should cut at full hours and leave nothing out', () => {
    const cut = pieces(new Date('2026-01-01T10:30:00Z'), new Date('2026-01-01T12:10:00Z'), HOUR);
    expect(cut.map((piece) => piece.map((date) => date.toISOString().slice(11, 23)))).toEqual([
      ['10:30:00.000', '10:59:59.999'],
      ['11:00:00.000', '11:59:59.999'],
      ['12:00:00.000', '12:10:00.000'],
    ]);
  });

  it('should give one piece for one moment, and none for a time that ends before it begins', () => {
    const at = new Date('2026-01-01T11:00:00Z');
    expect(pieces(at, at, HOUR)).toEqual([[at, at]]);
    expect(pieces(at, new Date(at.getTime() - 1), HOUR)).toEqual([]);
  });
});
