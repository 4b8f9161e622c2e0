import { ValidationFailed } from '../errors/common.errors.js';
import { MAX_DEPTH, pathOf } from '../validation/hostile-json.js';
import {
  type Container,
  isStillThere,
  type Level,
  refuseDepth,
  refuseHostile,
  refuseLongKey,
  refuseMasses,
} from './json-level.js';
import {
  COLON,
  COMMA,
  isBlank,
  isNamed,
  LIST,
  LIST_END,
  MalformedJson,
  OBJECT,
  OBJECT_END,
  parseText,
  QUOTE,
  readText,
  type TextRead,
} from './json-text.js';
import type { Portions } from '#libs/worker-pool';

/** Parsed synchronously, in a few milliseconds at most. */
export const SLICE_BYTES = 65_536;
/** Node serializes the bytes of a Buffer under this key. */
const FILE_BYTES = Buffer.from('"data"');
/** Longest number or whitespace. */
const MAX_STRETCH_BYTES = 4 * SLICE_BYTES;

export interface SlicedJson {
  readonly value: unknown;
  /** @throws {ValidationFailed} if the remaining lists of plain numbers make the value too large */
  refuseMasses(): void;
}

/**
 * Slices even long strings, so that no body blocks the process. Counts keys and entries, and rejects hostile keys.
 * @throws {MalformedJson} @throws {ValidationFailed}
 */
export function parseInSlices(json: Buffer, sliceBytes = SLICE_BYTES): Portions<SlicedJson> {
  return new SlicedParser(json, sliceBytes).parse();
}

class SlicedParser {
  private readonly open: Level[] = [];
  private readonly plainLists: Level[] = [];
  private root: { value: unknown; end: number } | undefined;
  private seen = 0;
  private lastCut = 0;

  constructor(
    private readonly json: Buffer,
    private readonly sliceBytes: number,
  ) {}

  *parse(): Portions<SlicedJson> {
    const { json } = this;
    for (let place = 0; place < json.length; place++) {
      if (place - this.lastCut >= this.sliceBytes) {
        this.cut(place);
        yield;
      }
      const byte = json[place] ?? 0;
      if (byte === QUOTE) {
        this.notPlain(this.open.at(-1));
        const text = readText(json, place + 1, place + this.sliceBytes);
        place = text.hasEnded ? text.place : yield* this.takeLongText(place);
      } else this.take(place, byte);
    }
    if (this.open.length > 0) throw new MalformedJson();
    const { value, end } = this.root ?? { value: parseText(this.text(0, json.length)), end: json.length };
    this.mustBeBlank(end, json.length);
    return { value, refuseMasses: () => refuseMasses(this.seen + this.plainEntries()) };
  }

  private take(place: number, byte: number): void {
    const level = this.open.at(-1);
    switch (byte) {
      case OBJECT:
      case LIST:
        this.notPlain(level);
        this.begin(place, byte === LIST, level);
        break;
      case OBJECT_END:
      case LIST_END:
        this.end(place, byte === LIST_END);
        break;
      case COMMA:
        this.comma(place, level);
        break;
      case COLON:
        this.count(1);
        break;
      default:
        // neither whitespace nor a digit
        if (byte > 0x20 && (byte < 0x30 || byte > 0x39)) this.notPlain(level);
    }
  }

  private isKey(end: number): boolean {
    let next = end + 1;
    while (isBlank(this.json, next, Math.min(next + 1, this.json.length)) && next < this.json.length) next++;
    return this.json[next] === COLON;
  }

  private begin(place: number, isList: boolean, parent: Level | undefined): void {
    if (parent === undefined) {
      if (this.root !== undefined) throw new MalformedJson();
      this.mustBeBlank(0, place);
    }
    if (this.open.length >= MAX_DEPTH) refuseDepth();
    const texts = { path: '', key: '' };
    const state = {
      from: place + 1,
      comma: -1,
      entries: 0,
      isPlain: isList && isNamed(this.json, place, FILE_BYTES),
      afterValue: false,
      isEmpty: true,
    };
    this.open.push({ isList, start: place, depth: this.open.length, parent, ...texts, ...state });
  }

  private comma(place: number, level: Level | undefined): void {
    if (level === undefined) throw new MalformedJson();
    if (level.isList) level.entries++;
    if (level.isList && !level.isPlain) this.count(1);
    level.comma = place;
    if (!level.afterValue) return;
    this.mustBeBlank(level.from, place);
    level.from = place + 1;
    level.afterValue = false;
  }

  private end(place: number, isList: boolean): void {
    const level = this.open.pop();
    if (level === undefined || level.isList !== isList) throw new MalformedJson();
    if (level.target !== undefined) this.complete(level, place);
    this.countList(level, place);
    const { parent } = level;
    if (parent === undefined) {
      this.root = { value: level.target ?? parseText(this.text(level.start, place + 1)), end: place + 1 };
      if (level.target === undefined) refuseHostile(this.root.value, level);
    } else if (level.target !== undefined) {
      parent.from = place + 1;
      parent.afterValue = true;
    }
  }

  private complete(level: Level, end: number): void {
    if (level.afterValue) this.mustBeBlank(level.from, end);
    else if (!isBlank(this.json, level.from, end)) this.add(level, end);
    else if (!level.isEmpty) throw new MalformedJson();
  }

  /** Moves everything complete into targets, and gives each open container a target. */
  private cut(place: number): void {
    this.lastCut = place;
    for (const level of this.open) {
      if (level.target === undefined) {
        level.target = level.isList ? [] : {};
        if (level.parent !== undefined) this.attach(level.parent, level.start, level.target, level);
      }
      if (level.comma >= level.from) {
        this.add(level, level.comma);
        level.from = level.comma + 1;
      }
    }
    const from = this.open.at(-1)?.from ?? this.root?.end ?? 0;
    if (place - from > MAX_STRETCH_BYTES) throw new MalformedJson();
  }

  private add(level: Level, end: number): void {
    const text = this.text(level.from, end);
    const members = parseText(level.isList ? `[${text}]` : `{${text}}`) as Container;
    if (Object.keys(members).length === 0) throw new MalformedJson();
    const { target } = level;
    const offset = Array.isArray(target) ? target.length : 0;
    if (!level.isPlain) refuseHostile(members, level, offset);
    if (Array.isArray(target)) for (const member of members as unknown[]) target.push(member);
    else if (target !== undefined) for (const [key, member] of Object.entries(members)) target[key] = member;
    level.isEmpty = false;
  }

  /** After the values that precede it in its container. */
  private attach(parent: Level, start: number, value: unknown, child?: Level): string | number {
    const before = this.text(parent.from, start);
    const { target } = parent;
    if (parent.afterValue) throw new MalformedJson();
    let key: string | number | undefined;
    if (Array.isArray(target)) {
      if (before.trim() !== '') throw new MalformedJson();
      key = target.push(value) - 1;
    } else if (target !== undefined) {
      const member = parseText(`{${before}[]}`) as Record<string, unknown>;
      [key] = Object.keys(member);
      if (key === undefined) throw new MalformedJson();
      refuseHostile(member, parent);
      target[key] = value;
    }
    if (key === undefined) throw new MalformedJson();
    parent.isEmpty = false;
    if (child !== undefined) {
      child.key = key;
      child.path = pathOf(parent.path, key);
    }
    return key;
  }

  /** @returns the position of its last quote */
  private *takeLongText(start: number): Portions<number> {
    this.cut(start);
    const level = this.open.at(-1);
    const parts: string[] = [];
    let read: TextRead = { place: start + 1, hasEnded: false };
    while (!read.hasEnded) {
      const from = read.place;
      read = readText(this.json, from, from + this.sliceBytes);
      parts.push(parseText(`"${this.text(from, read.place)}"`) as string);
      yield;
    }
    const end = read.place;
    this.lastCut = end;
    if (level?.isList === false && this.isKey(end)) refuseLongKey(level, end - start);
    else this.putLongText(start, end, parts.join(''), level);
    return end;
  }

  private putLongText(start: number, end: number, text: string, level: Level | undefined): void {
    if (level === undefined) {
      if (this.root !== undefined) throw new MalformedJson();
      this.mustBeBlank(0, start);
      this.root = { value: text, end: end + 1 };
    }
    const path = level === undefined ? 'the body' : pathOf(level.path, this.attach(level, start, text));
    if (!text.isWellFormed()) throw new ValidationFailed([`${path} must be valid Unicode`]);
    if (level === undefined) return;
    level.from = end + 1;
    level.afterValue = true;
  }

  private notPlain(level: Level | undefined): void {
    if (level?.isPlain !== true) return;
    level.isPlain = false;
    this.count(level.entries);
  }

  private countList(level: Level, end: number): void {
    if (!level.isList || (level.entries === 0 && isBlank(this.json, level.start + 1, end))) return;
    if (!level.isPlain) this.count(1);
    else if (level.target === undefined) this.count(level.entries + 1);
    else this.plainLists.push(level);
  }

  private plainEntries(): number {
    return this.plainLists.filter(isStillThere).reduce((sum, { entries }) => sum + entries + 1, 0);
  }

  private count(keys: number): void {
    this.seen += keys;
    refuseMasses(this.seen);
  }

  private text(start: number, end: number): string {
    return this.json.toString('utf8', start, end);
  }

  private mustBeBlank(start: number, end: number): void {
    if (!isBlank(this.json, start, end)) throw new MalformedJson();
  }
}
