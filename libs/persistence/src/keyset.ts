import type { mongo, Types } from 'mongoose';
import type { Sort } from './direct-read.js';
import { isObjectId, toObjectId } from './object-ids.js';

const MAX_TIME = 8_640_000_000_000_000;

/** How the values of a field stand in a cursor, and what of a cursor is such a value. */
const KINDS = {
  time: {
    write: (value: unknown) => (value as Date).getTime(),
    read: (told: unknown) =>
      Number.isInteger(told) && Math.abs(Number(told)) <= MAX_TIME ? new Date(Number(told)) : undefined,
  },
  id: {
    write: (value: unknown) => (value as Types.ObjectId).toHexString(),
    read: (told: unknown) => (isObjectId(told) ? toObjectId(told) : undefined),
  },
  text: {
    write: (value: unknown) => value,
    read: (told: unknown) => (typeof told === 'string' ? told : undefined),
  },
} as const;

/** An order of rows. Together, its fields are unique, and they do not change. */
export interface KeysetOrder {
  readonly fields: Readonly<Record<string, keyof typeof KINDS>>;
  readonly direction: 'ASC' | 'DESC';
}

/** The order in which records were created. */
export const CREATION = { createdAt: 'time', _id: 'id' } as const satisfies KeysetOrder['fields'];

/** The rows after a cursor or before one, but not both; without one, the first rows. */
export interface KeysetWindow {
  readonly after?: string | null | undefined;
  readonly before?: string | null | undefined;
  readonly limit: number;
  /** Also the row of the cursor, if it is still there. */
  readonly includeCursor?: boolean | undefined;
}

export interface LinkedRows<R> {
  readonly rows: R[];
  /** The cursor after which the next page begins; null on the last page. */
  readonly next: string | null;
  /** The cursor before which the previous page ends; null on the first page. */
  readonly previous: string | null;
}

interface Place {
  readonly values: readonly unknown[];
  readonly isIncluded: boolean;
}

export interface Range {
  readonly where: mongo.Document;
  readonly sort: Sort;
  readonly limit: number;
}

/**
 * A page by the place of a row, not by the number of those before it: rows that come and go move no others to another page.
 * @returns undefined for a cursor that is not one of this order
 */
export async function linkedRows<R extends object>(
  order: KeysetOrder,
  { after, before, limit, includeCursor = false }: KeysetWindow,
  read: (range: Range) => Promise<R[]>,
): Promise<LinkedRows<R> | undefined> {
  const cursor = before || after;
  const place = cursor ? placeOf(order, cursor) : undefined;
  if (cursor && place === undefined) return undefined;
  const isBack = Boolean(before);
  const direction = isBack === (order.direction === 'ASC') ? -1 : 1;
  const sort = Object.fromEntries(Object.keys(order.fields).map((field) => [field, direction] as const));
  const where = place ? beyond(order, direction, { ...place, isIncluded: place.isIncluded || includeCursor }) : {};
  const found = await read({ where, sort, limit: limit + 1 });
  const rows = found.slice(0, limit);
  if (isBack) rows.reverse();
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) {
    // Nothing is left there: the way back begins with the row of the cursor.
    const back = place ? textOf(order, { ...place, isIncluded: true }) : null;
    return { rows, next: isBack ? back : null, previous: isBack ? null : back };
  }
  const isMore = found.length > limit;
  return {
    rows,
    next: isBack || isMore ? cursorOf(order, last) : null,
    previous: (isBack ? isMore : place !== undefined) ? cursorOf(order, first) : null,
  };
}

/** The first condition is a range of the index; the others order rows with the same value. */
function beyond({ fields }: KeysetOrder, direction: 1 | -1, { values, isIncluded }: Place): mongo.Document {
  const names = Object.keys(fields);
  const than = direction === 1 ? '$gt' : '$lt';
  const branches = names.map((name, at) => {
    const isLast = at === names.length - 1;
    const same = Object.fromEntries(names.slice(0, at).map((other, place) => [other, values[place]]));
    return { ...same, [name]: { [isLast && isIncluded ? `${than}e` : than]: values[at] } };
  });
  const [only = {}] = branches;
  return branches.length === 1 ? only : { [names[0] ?? '']: { [`${than}e`]: values[0] }, $or: branches };
}

/** The cursor after which the rows behind this one begin. */
export function cursorOf(order: KeysetOrder, row: object): string {
  const values = Object.keys(order.fields).map((field) => (row as Record<string, unknown>)[field]);
  return textOf(order, { values, isIncluded: false });
}

/** Opaque to clients. */
function textOf(order: KeysetOrder, { values, isIncluded }: Place): string {
  const told = Object.values(order.fields).map((kind, at) => KINDS[kind].write(values[at]));
  return Buffer.from(JSON.stringify([nameOf(order), isIncluded ? 1 : 0, ...told])).toString('base64url');
}

/** Whatever a client makes up is a place of the order, or none. */
function placeOf(order: KeysetOrder, cursor: string): Place | undefined {
  const told = parsed(Buffer.from(cursor, 'base64url').toString('utf8'));
  const kinds = Object.values(order.fields);
  if (!Array.isArray(told) || told.length !== kinds.length + 2) return undefined;
  const [name, isIncluded, ...rest] = told as unknown[];
  if (name !== nameOf(order)) return undefined;
  const values = kinds.map((kind, at) => KINDS[kind].read(rest[at]));
  return values.includes(undefined) ? undefined : { values, isIncluded: isIncluded === 1 };
}

function nameOf({ fields, direction }: KeysetOrder): string {
  return `${direction} ${Object.keys(fields).join()}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
