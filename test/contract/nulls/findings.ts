import type { Json } from '../../support/answers.js';
import type { AnswerSchemas } from '../../support/answer-schema.js';
import { type Document, type Schema } from '../../support/routes.js';
import { type ChangeCase, isChange, type NewCase, type Reasons } from './cases.js';
import { comparable, differences } from './comparison.js';
import { declaredPaths, isFree, nullsIn, type Path, without, withNull } from './null-paths.js';
import { type Answer, type Caller, Refused, type World } from './world.js';

export interface Examined {
  readonly world: World;
  readonly document: Document;
  readonly schemas: AnswerSchemas;
  readonly drain: () => Promise<void>;
}

export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly schema: Schema;
}

interface Outcome {
  readonly status: number;
  readonly seen: unknown;
  /** Why it was refused. */
  readonly faults?: readonly string[];
}

type Change = (body: Json) => Json;

/** What null does in the fields of a body, where it is not what it should do. */
export async function findingsOf(
  examined: Examined,
  operation: Operation,
  one: NewCase | ChangeCase,
): Promise<string[]> {
  const examination = isChange(one) ? new OfChanges(examined, operation, one) : new OfNew(examined, operation, one);
  return [...new Set(await examination.findings())];
}

const as = (body: Json): Json => JSON.parse(JSON.stringify(body)) as Json;
/** Whether a fault begins with the path. */
const isNamed = (path: Path, { faults = [] }: Outcome): boolean =>
  faults.some((fault) => fault.startsWith(`${path.join('.')} `));

const same: Change = (body) => body;
const isTop = (path: Path): boolean => path.length === 1;
const isSuccess = ({ status }: Outcome): boolean => status < 300;
const nameOf = (path: Path): string => path.map((key) => (/^\d+$/.test(key) ? '*' : key)).join('.');

/** The entry for a path, or for one above it. */
const reasonFor = (reasons: Reasons | undefined, path: Path): string | undefined =>
  Object.entries(reasons ?? {}).find(([name]) => `${nameOf(path)}.`.startsWith(`${name}.`))?.[1];

/** In other words if a field is null than if it is absent. */
function refusal(status: number, answer: Json | undefined): Outcome {
  return { status, seen: 'refused', faults: [answer?.['message'] ?? []].flat().map(String) };
}

abstract class Examination<T extends NewCase> {
  protected readonly found: string[] = [];
  /** What null and absence did the same in. */
  protected readonly passed: { readonly paths: readonly Path[]; readonly ofAbsence: Outcome }[] = [];

  constructor(
    protected readonly examined: Examined,
    protected readonly operation: Operation,
    protected readonly one: T,
  ) {}

  abstract findings(): Promise<string[]>;
  protected abstract outcomes(paths: readonly Path[]): Promise<[ofNull: Outcome, ofAbsence: Outcome]>;

  /** Those of one depth at once, because none is within another. */
  protected async compareAll(paths: readonly Path[]): Promise<void> {
    const depths = new Set(paths.map(({ length }) => length));
    for (const depth of depths) await this.compareBatch(paths.filter(({ length }) => length === depth));
  }

  /** Looks for the one that is to blame if there is a difference. */
  private async compareBatch(paths: readonly Path[]): Promise<void> {
    if (paths.length === 0) return;
    const [ofNull, ofAbsence] = await this.outcomes(paths);
    const areSame = isSuccess(ofNull) && isSuccess(ofAbsence) && differences(ofNull.seen, ofAbsence.seen).length === 0;
    if (areSame) this.passed.push({ paths, ofAbsence });
    else if (paths.length === 1) this.compare(paths.map(nameOf).join(), ofNull, ofAbsence);
    else {
      // Refused in either way, which may hide what becomes of the others.
      const others = paths.filter((path) => !isNamed(path, ofNull) || !isNamed(path, ofAbsence));
      const isSettled = others.length < paths.length;
      const half = isSettled ? others.length : Math.ceil(others.length / 2);
      const before = this.found.length;
      await this.compareBatch(others.slice(0, half));
      await this.compareBatch(others.slice(half));
      // What only several nulls do together.
      if (!isSettled && this.found.length === before) this.compare(paths.map(nameOf).join(), ofNull, ofAbsence);
    }
  }

  protected async paths(): Promise<{ given: Path[]; others: Path[]; required: ReadonlySet<string> }> {
    const { schema } = this.operation;
    const required = new Set(schema.required);
    const declared = declaredPaths(this.examined.document, schema, await this.body());
    const isExamined = (path: Path): boolean =>
      !(isTop(path) && required.has(path[0] ?? '')) &&
      (isTop(path) || this.one.isShallow !== true) &&
      reasonFor(this.one.own, path) === undefined;
    return { given: declared.given.filter(isExamined), others: declared.others.filter(isExamined), required };
  }

  protected body = async (): Promise<Json> => as(await this.one.body(this.examined.world));

  protected compare(path: string, outcome: Outcome, expected: Outcome): void {
    const wrong =
      outcome.status === expected.status || Math.min(outcome.status, expected.status) >= 400
        ? differences(outcome.seen, expected.seen)
        : [`${outcome.status} instead of ${expected.status}: ${JSON.stringify(outcome.seen).slice(0, 300)}`];
    this.found.push(...wrong.map((fault) => `${path} null: ${fault}`));
  }

  /** Undeclared nulls of answers are findings. */
  protected async send(by: Caller, method: string, path: string, body?: Json): Promise<Answer> {
    const answer = await this.examined.world.send(by, method, path, body);
    const isFaulty = answer.status >= 500;
    const hasNull = nullsIn(answer.body).some((one) => !isFree(one));
    const faults = hasNull ? this.examined.schemas.faults(method, path, answer.status, answer.body) : [];
    if (isFaulty) faults.push(`${answer.status}`);
    this.found.push(
      ...faults.map((fault) => `${method} ${comparable(path) as string}: ${fault.split(': ').at(-1) ?? ''}`),
    );
    return answer;
  }
}

class OfNew extends Examination<NewCase> {
  /** What fields are left out of, or null in. */
  private base = same;

  async findings(): Promise<string[]> {
    const { given, others, required } = await this.paths();
    const leastOf: Change = (body) => Object.fromEntries([...required].map((name) => [name, body[name]]));
    // The first request may find something to do that the later ones find done.
    await this.sent(leastOf);
    const complete = await this.sent(same);
    if (!isSuccess(complete)) this.found.push(`${complete.status}: ${complete.faults?.join() ?? ''}`);
    await this.compareAll(given);
    this.compare(others.map(nameOf).join(), await this.sent((body) => others.reduce(withNull, body)), complete);
    this.base = leastOf;
    await this.compareAll([...given, ...others].filter(isTop));
    return this.found;
  }

  protected async outcomes(paths: readonly Path[]): Promise<[ofNull: Outcome, ofAbsence: Outcome]> {
    const isRead = paths.every(isTop);
    return [
      await this.sent((body) => paths.reduce(withNull, this.base(body)), isRead),
      await this.sent((body) => paths.reduce(without, this.base(body)), isRead),
    ];
  }

  private async sent(change: Change, isRead = true): Promise<Outcome> {
    const { world, drain } = this.examined;
    const { by = 'key', path, reads, delivers, remove } = this.one;
    const complete = await this.body();
    const body = change(complete);
    const to = path?.(world, complete) ?? this.operation.path;
    const { status, body: answer } = await this.send(by, this.operation.method, to, body);
    if (status >= 300) return refusal(status, answer);
    if (delivers === true) await drain();
    const data = (answer?.['data'] ?? {}) as Json;
    const seen: unknown[] = [answer];
    for (const read of isRead ? (reads?.(body, data) ?? []) : []) {
      const { status: found, body: kept } = await this.send('key', 'GET', read);
      seen.push(found === 200 ? kept : found);
    }
    if (remove !== undefined) await world.send('key', 'DELETE', remove(data));
    return { status, seen: comparable(seen) };
  }
}

class OfChanges extends Examination<ChangeCase> {
  async findings(): Promise<string[]> {
    const all = await this.paths();
    const { sent, kept = {} } = this.one;
    const isSent = ([top = '']: Path): boolean => sent?.includes(top) !== false;
    const [given, others] = [all.given.filter(isSent), all.others.filter(isSent)];
    const complete = await this.changed(same, same);
    if (!isSuccess(complete)) this.found.push(`${complete.status}: ${complete.faults?.join() ?? ''}`);
    const isKept = (path: Path): boolean => nameOf(path) in kept;
    const changed = given.filter((path) => !isKept(path));
    await this.compareAll(changed);
    this.assertSeen(complete);
    const ofKept = await this.changed(same, (body) => given.filter(isKept).reduce(withNull, body));
    this.compare(Object.keys(kept).join(), ofKept, complete);
    const ofOthers = await this.changed(same, (body) => others.reduce(withNull, body));
    this.compare(others.map(nameOf).join(), ofOthers, complete);
    return this.found;
  }

  protected async outcomes(paths: readonly Path[]): Promise<[ofNull: Outcome, ofAbsence: Outcome]> {
    const absent: Change = (body) => paths.reduce(without, body);
    return [await this.changed(same, (body) => paths.reduce(withNull, body)), await this.changed(absent, absent)];
  }

  /** A test of what cannot be seen would pass in any case. */
  private assertSeen(complete: Outcome): void {
    for (const { paths, ofAbsence } of this.passed) {
      const seen = differences(ofAbsence.seen, complete.seen).map((text) => `.${text.split(': ')[0] ?? ''}.`);
      const unseen = paths.filter(isTop).filter(([name]) => !seen.some((path) => path.includes(`.${name ?? ''}.`)));
      const unexplained = unseen.filter((path) => reasonFor(this.one.unseen, path) === undefined);
      this.found.push(...unexplained.map((path) => `${nameOf(path)} is not seen`));
    }
  }

  private async changed(made: Change, change: Change): Promise<Outcome> {
    const { world } = this.examined;
    const { record, sent, remove, by: caller = 'key' } = this.one;
    const body = await this.body();
    const target = await record(world, made(body)).catch((error: Error) => error);
    if (target instanceof Refused) return refusal(target.status, target.answer);
    if (target instanceof Error) throw target;
    const { path, read, by = caller } = target;
    const all = change(body);
    const some = sent === undefined ? all : Object.fromEntries(sent.map((name) => [name, all[name]]));
    const { status, body: answer } = await this.send(by, this.operation.method, path, some);
    if (status >= 300) return refusal(status, answer);
    const stored = read === undefined ? undefined : await this.send(by, 'GET', read);
    if (remove !== undefined) await world.send('key', 'DELETE', remove((answer?.['data'] ?? {}) as Json));
    return { status, seen: comparable([answer, stored?.body]) };
  }
}
