import { Double, Long, Timestamp } from 'bson';
import { compileDocumentStage, DOCUMENT_STAGES } from '../aggregate/document-stages.js';
import { decode, elements, isDoc, own, pick, toInteger, type Doc } from '../bson/codec.js';
import { encodeId } from '../bson/keys.js';
import { failedToParse, notSupported, StoreError } from '../errors.js';
import { compile } from '../query/match.js';
import { parseFilter } from '../query/parse.js';
import type { ChangeLog, LoggedChange } from '../store/change-log.js';
import type { Engine } from '../store/engine.js';
import type { Request } from './context.js';

const DEFAULT_WAIT_MS = 1000;
const DEFAULT_BATCH = 1000;
const IDLE_MS = 10 * 60 * 1000;
const MOST_STREAMS = 1000;

const OPTIONS = [
  'fullDocument',
  'fullDocumentBeforeChange',
  'resumeAfter',
  'startAfter',
  'startAtOperationTime',
  'allChangesForCluster',
  'showExpandedEvents',
];

type Step = (event: Doc) => Doc | undefined;

interface Stream {
  id: Long;
  ns: string;
  concerns: (change: LoggedChange) => boolean;
  /** Ends with these, after which nothing can come. */
  isEnd: (change: LoggedChange) => boolean;
  isLookedUp: boolean;
  steps: Step[];
  place: number;
  usedAt: number;
}

/** Open change streams. Each reads the log of changes at its own place. */
export class ChangeStreams {
  private readonly open = new Map<string, Stream>();
  private nextId = BigInt(Date.now()) * 1_000_000n;
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly engine: Engine) {
    this.timer = setInterval(() => this.closeIdle(), 60_000);
    this.timer.unref();
  }

  private get log(): ChangeLog {
    return this.engine.log;
  }

  /** Opens a stream. Its changes come with the next read. */
  watch(ns: string, argument: unknown, rest: Doc[], variables: Doc): Doc {
    const { scope, options } = optionsOf(ns, argument);
    if (this.open.size >= MOST_STREAMS)
      throw new StoreError('TemporarilyUnavailable', `${MOST_STREAMS} change streams are open`, {}, 365);
    const steps = rest.map((stage) => stepOf(stage, variables));
    this.log.open();
    try {
      const stream: Stream = {
        ...scope,
        id: Long.fromBigInt(this.nextId++),
        ns,
        isLookedUp: options.fullDocument === 'updateLookup',
        steps,
        place: this.startOf(options),
        usedAt: Date.now(),
      };
      this.open.set(stream.id.toString(), stream);
      return this.reply(stream, 'firstBatch', []);
    } catch (error) {
      this.log.close();
      throw error;
    }
  }

  has(id: unknown): boolean {
    return id instanceof Long && this.open.has(id.toString());
  }

  /** The next changes, or none when the time is over. */
  async more({ command, abandoned }: Request): Promise<Doc> {
    const stream = this.open.get(String(command.getMore)) as Stream;
    const most = command.batchSize === undefined ? DEFAULT_BATCH : toInteger(command.batchSize, 'batchSize');
    const wait = command.maxTimeMS === undefined ? DEFAULT_WAIT_MS : toInteger(command.maxTimeMS, 'maxTimeMS');
    const until = Date.now() + wait;
    for (;;) {
      stream.usedAt = Date.now();
      const events = this.take(stream, Math.max(1, most));
      const left = until - Date.now();
      if (events.length > 0 || left <= 0 || abandoned() || !this.open.has(stream.id.toString()))
        return this.reply(stream, 'nextBatch', events);
      if (stream.place === this.log.end) await this.log.next(left);
      else await new Promise((resolve) => setImmediate(resolve));
    }
  }

  kill(id: Long): boolean {
    const found = this.open.delete(id.toString());
    if (found) this.log.close();
    return found;
  }

  close(): void {
    clearInterval(this.timer);
    this.open.clear();
    this.log.forget();
  }

  private closeIdle(): void {
    for (const { id, usedAt } of this.open.values()) if (Date.now() - usedAt > IDLE_MS) this.kill(id);
  }

  private startOf({ resumeAfter, startAfter, startAtOperationTime: time }: Doc): number {
    const token = resumeAfter ?? startAfter;
    if (token !== undefined) {
      const place = this.placeOf(token);
      if (!this.log.after(place, 0)) throw historyLost();
      return place;
    }
    if (time === undefined) return this.log.end;
    if (!(time instanceof Timestamp)) throw failedToParse("'startAtOperationTime' must be a timestamp");
    const at = time.getHighBits() * 1000;
    if (at < this.log.since - 1000) throw historyLost();
    let place = this.log.end;
    while ((this.log.after(place - 1, 1)?.[0]?.at ?? 0) >= at) place--;
    return place;
  }

  private placeOf(token: unknown): number {
    const data = isDoc(token) ? token._data : undefined;
    const { epoch } = this.log;
    if (typeof data !== 'string' || !/^[0-9a-f]{30}$/.test(data))
      throw new StoreError('InvalidResumeToken', 'the resume token is none of a change stream of this store', {}, 260);
    if (!data.startsWith(epoch)) throw historyLost();
    return Number.parseInt(data.slice(epoch.length), 16);
  }

  private tokenOf(place: number): Doc {
    return { _data: `${this.log.epoch}${place.toString(16).padStart(14, '0')}` };
  }

  private take(stream: Stream, most: number): Doc[] {
    const changes = this.log.after(stream.place, most);
    if (!changes) {
      this.kill(stream.id);
      throw historyLost();
    }
    const events: Doc[] = [];
    for (const change of changes) {
      stream.place = change.place;
      if (!stream.concerns(change)) continue;
      this.push(stream, events, this.eventOf(stream, change));
      if (!stream.isEnd(change)) continue;
      const { _id, clusterTime, wallTime } = this.headOf(change);
      this.push(stream, events, { _id, operationType: 'invalidate', clusterTime, wallTime });
      this.kill(stream.id);
      break;
    }
    return events;
  }

  private push({ steps }: Stream, events: Doc[], event: Doc): void {
    let shown: Doc | undefined = event;
    for (const step of steps) shown &&= step(shown);
    if (shown && !('_id' in shown))
      throw new StoreError(
        'ChangeStreamFatalError',
        'a pipeline of a change stream must keep the _id',
        NOT_RESUMABLE,
        280,
      );
    if (shown) events.push(shown);
  }

  private headOf({ place, at }: LoggedChange): Doc {
    const clusterTime = new Timestamp({ t: Math.floor(at / 1000), i: place % 0xffff_ffff });
    return { _id: this.tokenOf(place), clusterTime, wallTime: new Date(at) };
  }

  private eventOf({ isLookedUp }: Stream, change: LoggedChange): Doc {
    const { type, ns, before, after, to } = change;
    const { _id, clusterTime, wallTime } = this.headOf(change);
    const head = { _id, operationType: type, clusterTime, wallTime, ns: placeOfNs(ns) };
    if (type === 'rename') return { ...head, to: placeOfNs(to as string) };
    if (type === 'drop' || type === 'dropDatabase') return head;
    const raw = (after ?? before) as Buffer;
    const documentKey = { _id: idOf(raw) };
    if (type === 'insert' || type === 'replace') return { ...head, documentKey, fullDocument: decode(raw) };
    if (type === 'delete') return { ...head, documentKey };
    const updateDescription = differences(before as Buffer, raw);
    if (!isLookedUp) return { ...head, documentKey, updateDescription };
    const latest = this.engine.find(ns)?.get(encodeId(documentKey._id).bytes);
    return { ...head, documentKey, updateDescription, fullDocument: latest ? decode(latest) : null };
  }

  private reply({ id, ns, place }: Stream, name: 'firstBatch' | 'nextBatch', events: Doc[]): Doc {
    const isOpen = this.open.has(id.toString());
    return {
      cursor: { [name]: events, id: isOpen ? id : Long.ZERO, ns, postBatchResumeToken: this.tokenOf(place) },
      operationTime: new Timestamp({ t: Math.floor(Date.now() / 1000), i: 1 }),
      ok: new Double(1),
    };
  }
}

/** Drivers do not try to go on by themselves. */
const NOT_RESUMABLE = { errorLabels: ['NonResumableChangeStreamError'] };

const historyLost = (): StoreError =>
  new StoreError(
    'ChangeStreamHistoryLost',
    'the changes since then are no longer known: the store keeps the last 10,000 in memory; read the data again and watch from now on',
    NOT_RESUMABLE,
    286,
  );

const placeOfNs = (ns: string): Doc => {
  const dot = ns.indexOf('.');
  return dot < 0 ? { db: ns } : { db: ns.slice(0, dot), coll: ns.slice(dot + 1) };
};

const ID = new Set(['_id']);
const idOf = (raw: Buffer): unknown => pick(raw, ID)._id;

/** What an update has changed, by top-level fields. */
function differences(before: Buffer, after: Buffer): Doc {
  const old = new Map<string, Buffer>();
  for (const { name, start, end } of elements(before)) old.set(name, before.subarray(start, end));
  const changed = new Set<string>();
  for (const { name, start, end } of elements(after)) {
    if (old.get(name)?.equals(after.subarray(start, end)) !== true) changed.add(name);
    old.delete(name);
  }
  const doc = decode(after);
  const updatedFields = Object.fromEntries([...changed].map((name) => [name, own(doc, name)]));
  return { updatedFields, removedFields: [...old.keys()], truncatedArrays: [] };
}

interface Scope {
  concerns: Stream['concerns'];
  isEnd: Stream['isEnd'];
}

function optionsOf(ns: string, argument: unknown): { scope: Scope; options: Doc } {
  if (!isDoc(argument)) throw failedToParse('$changeStream must be an object');
  const unknown = Object.keys(argument).find((name) => !OPTIONS.includes(name));
  if (unknown !== undefined) throw failedToParse(`BSON field '$changeStream.${unknown}' is an unknown field.`);
  const { fullDocument = 'default', fullDocumentBeforeChange = 'off', allChangesForCluster } = argument;
  if (fullDocument !== 'default' && fullDocument !== 'updateLookup')
    throw notSupported(`fullDocument '${String(fullDocument)}'`, "use 'updateLookup'");
  if (fullDocumentBeforeChange !== 'off')
    throw notSupported('fullDocumentBeforeChange', 'keep what the program needs of the document before');
  const [db = '', name = ''] = [ns.slice(0, ns.indexOf('.')), ns.slice(ns.indexOf('.') + 1)];
  if (allChangesForCluster === true) return { scope: { concerns: () => true, isEnd: () => false }, options: argument };
  if (name !== '$cmd.aggregate') {
    const concerns = (change: LoggedChange): boolean => change.ns === ns;
    return { scope: { concerns, isEnd: ({ type }) => type === 'drop' || type === 'rename' }, options: argument };
  }
  const concerns = (change: LoggedChange): boolean => change.ns === db || change.ns.startsWith(`${db}.`);
  return { scope: { concerns, isEnd: ({ type }) => type === 'dropDatabase' }, options: argument };
}

/** Stages that make one event of one event. */
function stepOf(stage: Doc, variables: Doc): Step {
  const [name = '', argument] = Object.entries(stage)[0] as [string, unknown];
  if (name === '$match') {
    const test = compile(parseFilter(argument, variables));
    return (event) => (test(event) ? event : undefined);
  }
  if (!DOCUMENT_STAGES.has(name))
    throw new StoreError('IllegalOperation', `${name} is not permitted in a $changeStream pipeline`);
  return compileDocumentStage(name, argument, variables);
}
