import { segmentsOf } from './sms-segments.js';

describe('segmentsOf', () => {
  it.each([
    ['', { encoding: 'GSM-7', length: 0, segments: 0, left: 160 }],
    ['a'.repeat(160), { encoding: 'GSM-7', length: 160, segments: 1, left: 0 }],
    ['a'.repeat(161), { encoding: 'GSM-7', length: 161, segments: 2, left: 145 }],
    ['a'.repeat(306), { encoding: 'GSM-7', length: 306, segments: 2, left: 0 }],
    ['a'.repeat(307), { encoding: 'GSM-7', length: 307, segments: 3, left: 152 }],
    ['€', { encoding: 'GSM-7', length: 2, segments: 1, left: 158 }],
    ['ü'.repeat(10), { encoding: 'GSM-7', length: 10, segments: 1, left: 150 }],
    ['ш'.repeat(70), { encoding: 'Unicode', length: 70, segments: 1, left: 0, because: 'ш' }],
    ['ш'.repeat(71), { encoding: 'Unicode', length: 71, segments: 2, left: 63, because: 'ш' }],
    ['Hi 👋', { encoding: 'Unicode', length: 5, segments: 1, left: 65, because: '👋' }],
  ])('should count %j', (text, counted) => {
    expect(segmentsOf(text)).toEqual(counted);
  });

  it('should not divide an extended character between two segments', () => {
    expect(segmentsOf(`${'a'.repeat(152)}€${'a'.repeat(10)}`)).toMatchObject({ length: 164, segments: 2, left: 141 });
  });
});
