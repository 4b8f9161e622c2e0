import { payloadConditions, payloadFaults } from './payload-filter.js';

const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64');

describe('payloadConditions', () => {
  it('should take nested objects apart and leave everything else whole', () => {
    expect(payloadConditions(base64({ a: 1, b: { c: 'x', d: { e: null } }, f: [{ g: 1 }] }))).toEqual([
      ['a', 1],
      ['b.c', 'x'],
      ['b.d.e', null],
      ['f', [{ g: 1 }]],
    ]);
  });
});

describe('payloadFaults', () => {
  it('should find none in an object', () => {
    expect(payloadFaults(base64({ a: { b: 1 } }), 'payload')).toEqual([]);
  });

  it.each([
    ['no text', 7],
    ['a text that is not base64 of JSON', 'fakeBase64'],
    ['a list', base64([1])],
    ['null', base64(null)],
    ['a number', base64(5)],
  ])('should refuse %s', (_case, value) => {
    expect(payloadFaults(value, 'payload')).toEqual(['payload must be a JSON object in base64']);
  });

  it('should refuse operators, at any depth', () => {
    expect(payloadFaults(base64({ $where: '1', a: { $gt: 1 } }), 'payload')).toEqual([
      'payload.$where is not allowed: keys must not begin with $',
      'payload.a.$gt is not allowed: keys must not begin with $',
    ]);
  });

  it('should refuse masses of values', () => {
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, i]));
    expect(payloadFaults(base64(many), 'payload')).toEqual(['payload must have at most 50 values']);
  });
});
