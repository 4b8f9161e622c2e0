import { Decimal128, Double, Int32, Long, Timestamp } from 'bson';
import { StoreError } from '../errors.js';
import { decimalArithmetic } from './decimal.js';

/** Comparison and arithmetic over the four BSON number types, exact where a JavaScript number is not. */

export function isNumeric(value: unknown): boolean {
  return (
    typeof value === 'number' ||
    typeof value === 'bigint' ||
    value instanceof Int32 ||
    value instanceof Double ||
    (value instanceof Long && !(value instanceof Timestamp)) ||
    value instanceof Decimal128
  );
}

/** A number, or a bigint for a long beyond 2^53; undefined for a fractional or huge decimal. */
export function numberOf(value: unknown): number | bigint | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  if (value instanceof Int32 || value instanceof Double) return value.value;
  if (value instanceof Long) {
    const number = value.toNumber();
    return Number.isSafeInteger(number) ? number : value.toBigInt();
  }
  const text = (value as Decimal128).toString();
  if (text === 'NaN' || text.endsWith('Infinity')) return Number(text.replace('inf', 'Inf'));
  return undefined;
}

/** numerator / denominator, exact. */
function fractionOf(value: unknown): [bigint, bigint] {
  const number = numberOf(value);
  if (typeof number === 'bigint') return [number, 1n];
  const text = number === undefined ? (value as Decimal128).toString() : exactText(number);
  const [mantissa = '0', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  const scale = Number(exponent) - fraction.length;
  const digits = BigInt(`${whole}${fraction}`);
  return scale >= 0 ? [digits * 10n ** BigInt(scale), 1n] : [digits, 10n ** BigInt(-scale)];
}

/** The whole part of a finite decimal. */
export function truncated(value: Decimal128): bigint {
  const [numerator, denominator] = fractionOf(value);
  return numerator / denominator;
}

/** How far a decimal lies from a double, rounded down. */
export function floorDistance(value: Decimal128, from: number): { floor: bigint; isExact: boolean } {
  const [a, b] = fractionOf(value);
  const [c, d] = fractionOf(from);
  const [numerator, denominator] = [a * d - c * b, b * d];
  const quotient = numerator / denominator;
  const isExact = numerator % denominator === 0n;
  return { floor: isExact || numerator > 0n ? quotient : quotient - 1n, isExact };
}

/** The exact decimal expansion of a double (its shortest form is not the exact value). */
function exactText(number: number): string {
  if (Number.isInteger(number)) return BigInt(number).toString();
  let halvings = 0;
  let scaled = number;
  while (!Number.isInteger(scaled)) {
    scaled *= 2;
    halvings++;
  }
  // number = scaled / 2^n = scaled * 5^n / 10^n
  return `${BigInt(scaled) * 5n ** BigInt(halvings)}e-${halvings}`;
}

/** Order of two BSON numbers of any types; NaN is the smallest and equal to itself. */
export function compareNumbers(a: unknown, b: unknown): number {
  const x = numberOf(a);
  const y = numberOf(b);
  if (x !== undefined && y !== undefined) {
    if (x < y) return -1;
    if (x > y) return 1;
    // eslint-disable-next-line eqeqeq -- a bigint and a number of the same value are equal
    if (x == y) return 0;
    return Number(y !== y) - Number(x !== x);
  }
  if (x !== undefined && !Number.isFinite(Number(x))) return x === Number.POSITIVE_INFINITY ? 1 : -1;
  if (y !== undefined && !Number.isFinite(Number(y))) return y === Number.POSITIVE_INFINITY ? -1 : 1;
  const [nx, dx] = fractionOf(a);
  const [ny, dy] = fractionOf(b);
  const left = nx * dy;
  const right = ny * dx;
  return left < right ? -1 : left > right ? 1 : 0;
}

const INT32_MAX = 2 ** 31 - 1;

function integral(value: unknown): bigint | undefined {
  if (value instanceof Int32) return BigInt(value.value);
  if (value instanceof Long) return value.toBigInt();
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value);
  return undefined;
}

function fromIntegral(result: bigint, wide: boolean): unknown {
  if (!wide && result >= -(2n ** 31n) && result <= BigInt(INT32_MAX)) return new Int32(Number(result));
  if (result < -(2n ** 63n) || result >= 2n ** 63n)
    throw new StoreError('BadValue', 'integer overflow in an arithmetic update');
  return Long.fromBigInt(result);
}

/** `a + b` or `a * b` with MongoDB's promotion: int32 grows to long, anything with a double is a double. */
export function arithmetic(operator: 'add' | 'multiply', a: unknown, b: unknown): unknown {
  if (a instanceof Decimal128 || b instanceof Decimal128) return decimalArithmetic(operator, a, b);
  const x = integral(a);
  const y = integral(b);
  if (x !== undefined && y !== undefined) {
    return fromIntegral(operator === 'add' ? x + y : x * y, a instanceof Long || b instanceof Long);
  }
  const left = Number(numberOf(a));
  const right = Number(numberOf(b));
  return new Double(operator === 'add' ? left + right : left * right);
}

/** A sum that is exact for integers and rounded once for doubles, whatever the order of its terms. */
export class Summation {
  private whole = 0n;
  private wide = false;
  private fractional = false;
  private high = 0;
  private low = 0;
  /** Plain sum, for infinities and NaN. */
  private special = 0;
  /** The sum of the decimals, which makes the whole sum one. */
  private decimals: Decimal128 | undefined;

  add(value: unknown): void {
    if (value instanceof Decimal128) {
      this.decimals = this.decimals ? decimalArithmetic('add', this.decimals, value) : value;
      return;
    }
    const exact = integral(value);
    this.wide ||= value instanceof Long;
    if (exact !== undefined) this.whole += exact;
    else {
      this.fractional = true;
      this.addDouble(Number(numberOf(value)));
    }
  }

  private addDouble(value: number): void {
    const sum = this.high + value;
    const part = sum - this.high;
    this.low += this.high - (sum - part) + (value - part);
    this.high = sum;
    this.special += value;
  }

  asDouble(): number {
    const total = new Summation();
    Object.assign(total, this);
    const nearest = Number(this.whole);
    total.addDouble(nearest);
    total.addDouble(Number(this.whole - BigInt(nearest)));
    const sum = total.high + total.low;
    return Number.isFinite(sum) ? sum : total.special;
  }

  /** As an integer when all terms were, as a double otherwise and where an integer would not fit. */
  total(): unknown {
    const others = this.totalOfOthers();
    return this.decimals ? decimalArithmetic('add', this.decimals, others) : others;
  }

  /** @returns null for none */
  average(count: number): unknown {
    if (count === 0) return null;
    if (this.decimals) return decimalArithmetic('divide', this.total(), new Int32(count));
    return new Double(this.asDouble() / count);
  }

  private totalOfOthers(): unknown {
    const fits = this.whole >= -(2n ** 63n) && this.whole < 2n ** 63n;
    return this.fractional || !fits ? new Double(this.asDouble()) : fromIntegral(this.whole, this.wide);
  }
}
