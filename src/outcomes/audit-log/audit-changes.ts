import { Concealed } from '#libs/http-kit';
import { isObject } from '#libs/validation';
import type { AuditChange, AuditValue } from './audit-entry.schema.js';

/** Of a record, at its top: what every write changes, or what says whose it is. */
const NOT_COMPARED: ReadonlySet<string> = new Set([
  '_id',
  'id',
  '__v',
  '_organizationId',
  '_environmentId',
  '_creatorId',
  'createdAt',
  'updatedAt',
  'deleted',
  'lastChange',
]);
/** What lists of records are matched by; others by position. */
const KEYS = ['uuid', '_id'] as const;
const MAX_CHANGES = 200;
const MAX_VISITED = 15_000;
/** A long name would otherwise be copied for each of its members. */
const MAX_PATH = 500;
const MAX_TEXT = 1_000;
const CONTEXT = 80;
/** Compared at once. */
const STRETCH = 8_192;

export interface Changes {
  readonly changes: readonly AuditChange[];
  readonly hasMore: boolean;
}

type Leaf = AuditValue | Concealed;

/**
 * What differs, value by value. Bounded, so that the largest records block nothing.
 * @param personal the fields whose values are not told
 */
export function auditChanges(before: unknown, after: unknown, personal?: true | readonly string[]): Changes {
  const walk = new Walk();
  const earlier = walk.leavesOf(before);
  const later = walk.leavesOf(after);
  const found: AuditChange[] = [];
  for (const path of new Set([...earlier.keys(), ...later.keys()])) {
    const change = changeOf(path, earlier.get(path), later.get(path), isPersonal(path, personal));
    if (change === undefined) continue;
    if (found.length === MAX_CHANGES) return { changes: found, hasMore: true };
    found.push(change);
  }
  return { changes: found, hasMore: walk.isCut };
}

class Walk {
  private visited = 0;
  private hasLeftOut = false;

  get isCut(): boolean {
    return this.hasLeftOut || this.visited > MAX_VISITED;
  }

  leavesOf(value: unknown): Map<string, Leaf> {
    const leaves = new Map<string, Leaf>();
    for (const [name, member] of isObject(value) ? Object.entries(value) : []) {
      if (!NOT_COMPARED.has(name)) this.collect(member, name, leaves);
    }
    return leaves;
  }

  private collect(value: unknown, path: string, into: Map<string, Leaf>): void {
    this.visited += 1;
    this.hasLeftOut ||= path.length > MAX_PATH;
    if (path.length > MAX_PATH || this.visited > MAX_VISITED || value === undefined) return;
    if (Array.isArray(value)) {
      value.forEach((entry: unknown, at) => this.collect(entry, `${path}.${nameOf(entry, at)}`, into));
    } else if (value instanceof Date) {
      into.set(path, value.toISOString());
    } else if (value instanceof Concealed) {
      into.set(path, value);
    } else if (isObject(value)) {
      for (const [name, member] of Object.entries(value)) this.collect(member, `${path}.${name}`, into);
    } else {
      into.set(path, value as AuditValue);
    }
  }
}

function nameOf(entry: unknown, at: number): string {
  const key = isObject(entry) ? KEYS.map((name) => entry[name]).find((name) => typeof name === 'string') : undefined;
  return key ?? String(at);
}

function changeOf(
  path: string,
  before: Leaf | undefined,
  after: Leaf | undefined,
  isHidden: boolean,
): AuditChange | undefined {
  if (before instanceof Concealed || after instanceof Concealed) {
    const isSame = before instanceof Concealed && after instanceof Concealed && before.equals(after);
    return isSame ? undefined : { path, hidden: 'secret' };
  }
  if (before === after) return undefined;
  if (isHidden) return { path, hidden: 'personal' };
  const [former, latter] = shortened(before, after);
  return {
    path,
    ...(former !== undefined && { before: former }),
    ...(latter !== undefined && { after: latter }),
    ...((former !== before || latter !== after) && { shortened: true }),
  };
}

function isPersonal(path: string, personal: true | readonly string[] | undefined): boolean {
  if (personal === undefined || personal === true) return personal === true;
  return personal.some((name) => path === name || path.startsWith(`${name}.`));
}

/** Of long texts, the part in which they differ. */
function shortened(
  before: AuditValue | undefined,
  after: AuditValue | undefined,
): [AuditValue | undefined, AuditValue | undefined] {
  const texts = [before, after].map((value) => (typeof value === 'string' ? value : ''));
  const [one = '', other = ''] = texts;
  if (one.length <= MAX_TEXT && other.length <= MAX_TEXT) return [before, after];
  const same = lengthOfSame(one, other);
  const from = Math.max(0, same - CONTEXT);
  const cut = (value: AuditValue | undefined): AuditValue | undefined => {
    if (typeof value !== 'string') return value;
    const part = value.slice(from, from + MAX_TEXT).toWellFormed();
    return `${from > 0 ? '…' : ''}${part}${from + MAX_TEXT < value.length ? '…' : ''}`;
  };
  return [cut(before), cut(after)];
}

function lengthOfSame(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one.slice(at, at + STRETCH) === other.slice(at, at + STRETCH)) at += STRETCH;
  while (at < one.length && at < other.length && one[at] === other[at]) at += 1;
  return Math.min(at, one.length, other.length);
}
