import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/** Random numbers that a seed repeats: those of `test/support/schedules.ts`. */
function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Choices of one part of a run; another part that chooses more does not change them. */
export class Dice {
  constructor(seed, part) {
    const hash = crypto.createHash('sha256').update(`${seed}:${part}`).digest();
    this.next = seeded(hash.readUInt32LE(0));
  }

  below(count) {
    return Math.floor(this.next() * count);
  }

  between(least, most) {
    return least + this.below(most - least + 1);
  }

  of(list) {
    return list[this.below(list.length)];
  }

  chance(share) {
    return this.next() < share;
  }
}

/** Everything that Node gives by chance comes from one source from then on. @returns how the source is set to a seed */
export function replaceRandomNumbers() {
  let next = seeded(0);
  const fill = (bytes) => {
    const view = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let at = 0; at < view.length; at += 1) view[at] = Math.floor(next() * 256);
    return bytes;
  };
  const random = (size) => fill(Buffer.alloc(size));
  Math.random = () => next();
  crypto.randomBytes = (size, callback) => {
    if (callback === undefined) return random(size);
    process.nextTick(callback, null, random(size));
    return undefined;
  };
  crypto.randomFillSync = (bytes, offset = 0, size = bytes.byteLength - offset) => {
    random(size).copy(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset);
    return bytes;
  };
  crypto.randomInt = (...limits) => {
    const [from, to] = [0, ...limits].slice(-2);
    return from + Math.floor(next() * (to - from));
  };
  crypto.randomUUID = () => {
    const hex = random(16);
    hex[6] = (hex[6] & 0x0f) | 0x40;
    hex[8] = (hex[8] & 0x3f) | 0x80;
    return hex.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  };
  const ofTheWeb = Object.getPrototypeOf(crypto.webcrypto);
  ofTheWeb.getRandomValues = fill;
  ofTheWeb.randomUUID = () => crypto.randomUUID();
  syncBuiltinESMExports();
  return (seed) => (next = seeded(seed));
}
