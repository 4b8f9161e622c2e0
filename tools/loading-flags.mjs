import { setFlagsFromString } from 'node:v8';

/**
 * While a program loads, the young generation would grow to its largest size, and an idle process would keep that memory (20 MB). What runs
 * meanwhile runs once: to optimize it takes a fifth of the processor time of a start, and 13 MB (ADR 145).
 */
const WHILE_LOADING = ['--semi-space-growth-factor=1', '--no-opt'];
const AFTERWARDS = ['--semi-space-growth-factor=2', '--opt'];
/** A start that takes longer has real work, such as a migration. */
const LONGEST_LOAD_MS = 5_000;

const set = (flags) => flags.forEach(setFlagsFromString);

/** To be called before code is read, and again before it is kept, because V8 takes kept code only under the flags that it was kept with. */
export function loading() {
  set(WHILE_LOADING);
  setTimeout(loaded, LONGEST_LOAD_MS).unref();
}

export function loaded() {
  set(AFTERWARDS);
}
