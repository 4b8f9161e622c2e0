import { Binary, Decimal128, Double, Int32, Long, MaxKey, MinKey, ObjectId, Timestamp } from 'bson';
import fc from 'fast-check';
import { encodeFields, encodeWhole } from './keys.js';
import { compareNumbers } from './numbers.js';
import { compareValues } from './values.js';

/** The same cases in every run; another number looks at others. */
fc.configureGlobal({ seed: 20_261_120 });

/** Next to numbers of other types, and beyond them. */
const DECIMALS = [
  '0.1',
  '0.1000000000000000055511151231257827',
  '0.1000000000000000055511151231257828',
  '1.000',
  '1.000000000000000000000000000000001',
  '0.9999999999999999999999999999999999',
  '9007199254740993',
  '9007199254740993.5',
  '9223372036854775807.5',
  '-9223372036854775808.5',
  '1E400',
  '-1E400',
  '1E-400',
  '-1E-400',
  '1E25',
  '1.0000000000000000000000001E25',
  'NaN',
  'Infinity',
  '-Infinity',
  '-0',
];

const scalar = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    undefined,
    true,
    false,
    new MinKey(),
    new MaxKey(),
    Number.NaN,
    0,
    -0,
    Infinity,
    -Infinity,
  ),
  fc.double({ noNaN: true }).map((value) => new Double(value)),
  fc.integer().map((value) => new Int32(value)),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value) => Long.fromBigInt(value)),
  fc.constantFrom(2n ** 53n, 2n ** 53n + 1n, -(2n ** 53n) - 1n).map((value) => Long.fromBigInt(value)),
  fc
    .tuple(fc.bigInt({ min: -(10n ** 34n) + 1n, max: 10n ** 34n - 1n }), fc.integer({ min: -40, max: 40 }))
    .map(([digits, exponent]) => Decimal128.fromString(`${digits}E${exponent}`)),
  fc.constantFrom(...DECIMALS).map((text) => Decimal128.fromString(text)),
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.constantFrom('a', 'a\0', 'a\0b', 'a\u0001', '\u{1f600}', '\uffff'),
  fc.date({ noInvalidDate: true }),
  fc.uint8Array({ minLength: 12, maxLength: 12 }).map((bytes) => new ObjectId(bytes)),
  fc.uint8Array({ maxLength: 4 }).map((bytes) => new Binary(bytes)),
  fc.nat().map((t) => new Timestamp({ t, i: 1 })),
);
const value = fc.oneof(
  { weight: 4, arbitrary: scalar },
  { weight: 1, arbitrary: fc.array(scalar, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.dictionary(fc.constantFrom('a', 'b', 'ab', ''), scalar, { maxKeys: 3 }) },
);

describe('encodeWhole', () => {
  it('should order the bytes as the values are ordered', () => {
    fc.assert(
      fc.property(value, value, (a, b) => {
        const order = Math.sign(encodeWhole([a], [1]).compare(encodeWhole([b], [1])));
        expect(order).toBe(Math.sign(compareValues(a, b)));
        expect(encodeWhole([a], [-1]).compare(encodeWhole([b], [-1]))).toBe(order === 0 ? 0 : -order);
      }),
      { numRuns: 3000 },
    );
  });

  it('should order several fields one after the other in their directions', () => {
    fc.assert(
      fc.property(fc.tuple(value, value), fc.tuple(value, value), ([a, b], [c, d]) => {
        const order = Math.sign(encodeWhole([a, b], [1, -1]).compare(encodeWhole([c, d], [1, -1])));
        expect(order).toBe(Math.sign(compareValues(a, c)) || -Math.sign(compareValues(b, d)) || 0);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('encodeFields', () => {
  it('should keep keys within the limit, and tell long values apart', () => {
    const long = 'x'.repeat(10_000);
    const [a, b] = [encodeFields([`${long}a`, long], [1, -1]), encodeFields([`${long}b`, long], [1, -1])];
    expect(a.shortened).toBe(true);
    expect(a.bytes.length).toBeLessThanOrEqual(1400);
    expect(a.bytes.equals(b.bytes)).toBe(false);
  });
});

describe('compareNumbers', () => {
  it('should be exact where doubles are not', () => {
    expect(compareNumbers(Long.fromString('9007199254740993'), 9007199254740992)).toBe(1);
    expect(compareNumbers(Long.MAX_VALUE, 2 ** 63)).toBe(-1);
    expect(compareNumbers(Number.NaN, -Infinity)).toBe(-1);
  });
});
