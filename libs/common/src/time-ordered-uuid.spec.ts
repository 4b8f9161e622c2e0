import { timeOrderedUuid } from './time-ordered-uuid.js';

describe('timeOrderedUuid', () => {
  it('should be a UUID of version 7', () => {
    expect(timeOrderedUuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('should begin with its time, so that later ones follow', () => {
    expect(timeOrderedUuid(1_700_000_000_000)).toMatch(/^018bcfe5-6800-7/);
    expect(timeOrderedUuid(1_000) < timeOrderedUuid(1_001)).toBe(true);
  });

  it('should be another one each time', () => {
    const ids = Array.from({ length: 1_000 }, () => timeOrderedUuid(5));
    expect(new Set(ids).size).toBe(1_000);
  });
});
