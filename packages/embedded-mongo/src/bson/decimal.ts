import { Decimal128, Double, Int32, Long } from 'bson';
import { StoreError } from '../errors.js';

/** A finite decimal: `digits * 10 ^ exponent`. */
interface Parts {
  digits: bigint;
  exponent: number;
}

const MAX_DIGITS = 34;
const MAX_EXPONENT = 6111;
const MIN_EXPONENT = -6176;
/** As many digits of a double are taken over as every double of that length keeps. */
const DIGITS_OF_DOUBLE = 15;

const INFINITE = /^([+-]?)inf/i;

/** Undefined for NaN and the infinities. */
function partsOf(value: unknown): Parts | undefined {
  const text = textOf(value);
  const found = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(text);
  if (!found) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = found;
  return {
    digits: BigInt(`${whole}${fraction}`) * (sign === '-' ? -1n : 1n),
    exponent: Number(exponent) - fraction.length,
  };
}

function textOf(value: unknown): string {
  if (value instanceof Double || typeof value === 'number') {
    const number = Number(value);
    if (!Number.isFinite(number)) return String(number);
    return Number.isInteger(number) && Math.abs(number) < 1e15 ? String(number) : number.toPrecision(DIGITS_OF_DOUBLE);
  }
  return String(value);
}

const power = (exponent: number): bigint => 10n ** BigInt(exponent);
const size = (digits: bigint): number => (digits < 0n ? -digits : digits).toString().length;

/** Divides by a power of ten; halves go to the even neighbour. */
function rounded(digits: bigint, places: number): bigint {
  const unit = power(places);
  const quotient = digits / unit;
  const twice = (digits % unit) * 2n;
  const rest = twice < 0n ? -twice : twice;
  const away = rest > unit || (rest === unit && quotient % 2n !== 0n);
  return away ? quotient + (digits < 0n ? -1n : 1n) : quotient;
}

/** The nearest decimal of 34 digits. */
function decimalOf({ digits, exponent }: Parts): Decimal128 {
  let [kept, at] = [digits, exponent];
  for (;;) {
    const excess = Math.max(size(kept) - MAX_DIGITS, MIN_EXPONENT - at);
    if (excess <= 0) break;
    if (excess > MAX_DIGITS * 4 + size(kept)) return Decimal128.fromString('0');
    [kept, at] = [rounded(kept, excess), at + excess];
  }
  while (at > MAX_EXPONENT && size(kept) < MAX_DIGITS && kept !== 0n) [kept, at] = [kept * 10n, at - 1];
  if (at > MAX_EXPONENT && kept !== 0n) return Decimal128.fromString(kept < 0n ? '-Infinity' : 'Infinity');
  return Decimal128.fromString(`${kept}E${Math.min(at, MAX_EXPONENT)}`);
}

/** For NaN and the infinities the answer of doubles is the right one. */
const special = (result: number): Decimal128 => Decimal128.fromString(String(result));

const doubleOf = (value: unknown): number => Number(String(value).replace(INFINITE, (_, sign: string) => `${sign}Inf`));

export type DecimalOperator = 'add' | 'subtract' | 'multiply' | 'divide' | 'mod';

const AS_DOUBLES: Record<DecimalOperator, (a: number, b: number) => number> = {
  add: (a, b) => a + b,
  subtract: (a, b) => a - b,
  multiply: (a, b) => a * b,
  divide: (a, b) => a / b,
  mod: (a, b) => a % b,
};

/** Arithmetic of which at least one operand is a decimal: the result is the nearest decimal. */
export function decimalArithmetic(operator: DecimalOperator, a: unknown, b: unknown): Decimal128 {
  const [x, y] = [partsOf(a), partsOf(b)];
  if (!x || !y) return special(AS_DOUBLES[operator](doubleOf(a), doubleOf(b)));
  if (operator === 'multiply') return decimalOf({ digits: x.digits * y.digits, exponent: x.exponent + y.exponent });
  if (operator === 'divide') return quotient(x, y);
  // far apart, the smaller one is no more than a trace that decides how the larger one is rounded
  const exponent = Math.max(Math.min(x.exponent, y.exponent), Math.max(x.exponent, y.exponent) - MAX_DIGITS * 3);
  const [left, right] = [aligned(x, exponent), aligned(y, exponent)];
  if (operator === 'mod')
    return decimalOf({ digits: x.digits === 0n ? 0n : remainder(x, y), exponent: Math.min(x.exponent, y.exponent) });
  return decimalOf({ digits: operator === 'add' ? left + right : left - right, exponent });
}

function aligned({ digits, exponent }: Parts, to: number): bigint {
  if (exponent >= to) return digits * power(exponent - to);
  const shifted = digits / power(Math.min(to - exponent, MAX_DIGITS * 4));
  return shifted === 0n && digits !== 0n ? (digits < 0n ? -1n : 1n) : shifted;
}

function quotient(x: Parts, y: Parts): Decimal128 {
  if (y.digits === 0n) throw new StoreError('Location2', "can't $divide by zero", {}, 2);
  const more = Math.max(0, MAX_DIGITS + 2 + size(y.digits) - size(x.digits));
  const scaled = x.digits * power(more);
  let digits = scaled / y.digits;
  let exponent = x.exponent - y.exponent - more;
  if (scaled % y.digits !== 0n) [digits, exponent] = [digits * 10n + (digits < 0n ? -1n : 1n), exponent - 1];
  else
    while (exponent < x.exponent - y.exponent && digits % 10n === 0n) [digits, exponent] = [digits / 10n, exponent + 1];
  return decimalOf({ digits, exponent });
}

function remainder(x: Parts, y: Parts): bigint {
  if (y.digits === 0n) throw new StoreError('Location16610', "can't $mod by zero", {}, 16610);
  const exponent = Math.min(x.exponent, y.exponent);
  return (x.digits * power(x.exponent - exponent)) % (y.digits * power(y.exponent - exponent));
}

export type DecimalRounding = 'abs' | 'ceil' | 'floor' | 'round' | 'trunc';

/** @param places digits after the point that are kept */
export function roundDecimal(how: DecimalRounding, value: Decimal128, places = 0): Decimal128 {
  const parts = partsOf(value);
  if (!parts) return how === 'abs' ? special(Math.abs(doubleOf(value))) : value;
  const { digits, exponent } = parts;
  if (how === 'abs') return decimalOf({ digits: digits < 0n ? -digits : digits, exponent });
  const away = -places - exponent;
  if (away <= 0) return value;
  const unit = power(away);
  const down = digits / unit;
  const isCut = digits % unit !== 0n;
  const kept =
    how === 'round'
      ? rounded(digits, away)
      : how === 'floor' && isCut && digits < 0n
        ? down - 1n
        : how === 'ceil' && isCut && digits > 0n
          ? down + 1n
          : down;
  return decimalOf({ digits: kept, exponent: -places });
}

/** The decimal of a number of another type, or of a text; undefined if it is none. */
export function toDecimal(value: unknown): Decimal128 | undefined {
  if (value instanceof Decimal128) return value;
  if (typeof value === 'string' && !/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(value))
    return /^(?:[+-]?(?:inf|infinity)|nan)$/i.test(value) ? special(doubleOf(value)) : undefined;
  const parts = partsOf(value);
  if (parts) return decimalOf(parts);
  return value instanceof Int32 || value instanceof Long ? undefined : special(doubleOf(value));
}

/**
 * 20 bytes in the order of finite decimals, the same for the same value however it is written: the sign, the place of the first digit,
 * and the digits.
 */
export function decimalKey(value: Decimal128): Buffer {
  const { digits, exponent } = partsOf(value) as Parts;
  const text = (digits < 0n ? -digits : digits).toString();
  const key = Buffer.alloc(20);
  key[0] = 1;
  key.writeUInt16BE(exponent + text.length + 0x8000, 1);
  key.write(text.padEnd(MAX_DIGITS, '0'), 3, 'hex');
  if (digits < 0n) for (let i = 0; i < key.length; i++) key[i] = ~(key[i] as number) & 0xff;
  return key;
}
