import type { mongo } from 'mongoose';
import type { Json } from './answers.js';

/** One kind of query that an application sends to its store, with an example. */
export interface LoggedQuery {
  /** Command, collection, conditions without their values, and order. */
  readonly shape: string;
  readonly collection: string;
  readonly filter: Json;
  /** As `explain` takes it. */
  readonly command: Json;
  /** The parts of the test during which it was sent. */
  readonly during: Set<string>;
}

const FILTERED = ['find', 'count', 'distinct', 'aggregate', 'update', 'delete', 'findAndModify'] as const;
type Filtered = (typeof FILTERED)[number];
/** What the driver adds to a command, and what makes no difference to its plan. */
const NOT_EXPLAINED = /^(\$|lsid$|txnNumber$|readConcern$|writeConcern$|maxTimeMS$|ordered$|apiVersion$|bypass)/;
/** Fields of conditions of partial indexes: which one serves depends on their values. */
const DECISIVE = new Set(['channel', 'status']);

/** Collects the queries of an application, each kind of query once. */
export class QueryLog {
  /** The part of the test that runs now; nothing is collected while there is none. */
  part: string | undefined;
  private readonly queries = new Map<string, LoggedQuery>();

  /** @param client of a connection with `monitorCommands` */
  constructor(client: mongo.MongoClient) {
    client.on('commandStarted', ({ commandName, command }) => {
      if (this.part !== undefined && isFiltered(commandName)) this.note(commandName, command, this.part);
    });
  }

  get all(): LoggedQuery[] {
    return [...this.queries.values()];
  }

  private note(name: Filtered, sent: Json, part: string): void {
    const collection = String(sent[name]);
    const command = Object.fromEntries(Object.entries(sent).filter(([key]) => !NOT_EXPLAINED.test(key)));
    const statements = command['updates'] ?? command['deletes'];
    const key = name === 'update' ? 'updates' : 'deletes';
    const single = Array.isArray(statements)
      ? (statements as Json[]).map((statement) => ({ command: { ...command, [key]: [statement] }, statement }))
      : [{ command, statement: command }];
    for (const { command: one, statement } of single) {
      const filter = filterOf(statement);
      const shape = [name, collection, shapeOf(filter), orderOf(statement)].filter((part) => part !== '').join(' ');
      const known = this.queries.get(shape);
      if (known) known.during.add(part);
      else this.queries.set(shape, { shape, collection, filter, command: one, during: new Set([part]) });
    }
  }
}

function isFiltered(name: string): name is Filtered {
  return (FILTERED as readonly string[]).includes(name);
}

function filterOf(statement: Json): Json {
  const [first] = (statement['pipeline'] as { $match?: Json }[] | undefined) ?? [];
  return (first?.$match ?? statement['filter'] ?? statement['query'] ?? statement['q'] ?? {}) as Json;
}

function orderOf({ sort, limit, pipeline }: Json): string {
  const stages = ((pipeline as Json[] | undefined) ?? []).slice(1).map((stage) => Object.keys(stage)[0]);
  const fields = sort instanceof Map ? (Object.fromEntries(sort) as unknown) : sort;
  const order = fields === undefined ? '' : `sort ${JSON.stringify(fields)}`;
  return [order, limit === undefined ? '' : 'limited', ...stages].filter((part) => part !== '').join(' ');
}

/** Conditions without values, except those that decide which index serves. */
function shapeOf(value: unknown, field = ''): string {
  if (typeof value === 'boolean' || value === null) return String(value);
  if (typeof value === 'string') return DECISIVE.has(field) ? value : '?';
  if (Array.isArray(value)) return `[${[...new Set(value.map((one) => shapeOf(one, field)))].sort().join()}]`;
  if (!isConditions(value)) return '?';
  const entries = Object.entries(value).map(
    ([key, inner]) => `${key}: ${shapeOf(inner, key.startsWith('$') ? field : key)}`,
  );
  return `{${entries.sort().join(', ')}}`;
}

function isConditions(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** The stages of a plan, with the orders that are made in memory as `SORT`. */
export function stagesOf(explained: unknown): string[] {
  if (Array.isArray(explained)) return explained.flatMap(stagesOf);
  if (typeof explained !== 'object' || explained === null) return [];
  return Object.entries(explained).flatMap(([key, value]) => {
    if (key === 'stage') return [String(value)];
    if (key === '$sort') return ['SORT'];
    return key === 'rejectedPlans' || key === 'command' || key === 'serverParameters' ? [] : stagesOf(value);
  });
}

/** The names of the indexes that a plan follows. */
export function indexesOf(explained: unknown): string[] {
  if (typeof explained !== 'object' || explained === null) return [];
  return Object.entries(explained).flatMap(([key, value]: [string, unknown]) => {
    if (key === 'indexName') return [String(value)];
    return key === 'rejectedPlans' ? [] : indexesOf(value);
  });
}

/** Which values a filter names for a field: a value or a list of them, but no range. */
export function namesField(filter: Json, field: string): boolean {
  const condition = filter[field];
  if (condition !== undefined) return !isConditions(condition) || '$in' in condition || '$eq' in condition;
  const all = (filter['$and'] as Json[] | undefined) ?? [];
  return all.some((part) => namesField(part, field));
}
