import { canonicalZone } from './canonical-zone.js';

describe('canonicalZone', () => {
  it.each([
    ['Europe/Berlin', 'Europe/Berlin'],
    ['europe/BERLIN', 'Europe/Berlin'],
    ['UTC', 'UTC'],
    ['Mars/Olympus', undefined],
    ['', undefined],
    ['E'.repeat(100_000), undefined],
  ])('should find for %.20s the zone %s', (name, zone) => {
    expect(canonicalZone(name)).toBe(zone);
  });

  it('should answer the same after more names than it keeps', () => {
    for (let n = 0; n < 1_100; n += 1) canonicalZone(`Mars/Olympus_${n}`);
    expect(canonicalZone('Asia/Tokyo')).toBe('Asia/Tokyo');
    expect(canonicalZone('Mars/Olympus_1')).toBeUndefined();
  });
});
