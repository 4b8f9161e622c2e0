// Faults made by hand, one at a time: each has to be found by some seed.
//   node simulation/mutants.mjs [--seeds N] [name ...]
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { ensureBuilt } from '../tools/build.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * Guards and orders that Herald needs: the end of the path of a built file, and what it has once, with what is put in between « and ». The
 * fault is there while ON.
 */
const MUTANTS = {
  'the mark of a call is not awaited':
    "run/begun-calls: «ON ? (void this.batcher.submit(mark), 'begun') : »await this.batcher.submit(mark);",
  'a call begins although another process has its run':
    'run/begun-calls: { ...runKey(record), «...(!ON && { »lease«})», ...(',
  'a message that was sent counts as not sent when its run was canceled meanwhile':
    "run/outcome-writer: evenIfCanceled: «!ON && »record.status !== 'active'",
  'an announcement that failed is not repeated': 'run/outcome-writer: if («ON || »!isStoreUnavailable(error))',
  'messages of a batch are not awaited':
    'run/outcome-writer: «ON ? (void this.messages.insert(effects.flatMap(({ messages }) => messages)).catch(() => 0), new Set()) : »this.messages.insert(',
  'outcomes are written without the lease':
    'src/work-queue: { ...keyOf(record, this.shardKey), «...(!ON && { »lease: record.lease }«) }»',
  'work is claimed ahead of time':
    'src/work-queue: const now = «ON ? new Date(this.clock.now().getTime() + 5_000) : »this.clock.now();',
  'work is claimed that another process has claimed':
    'src/work-queue: ...keysOf(records, this.shardKey), ...«(!ON && »due«)» }',
  'a cancellation does not wait for its outcome':
    'expansion/run-cancellations: while («!ON && »open.held.length + open.free.length > 0)',
  'an event is accepted before it is stored':
    'delivery/event-intake: const doubled = «ON ? (void inserting.catch(() => undefined), new Set()) : »await inserting;',
  'an event that was sent again is carried out again':
    'delivery/event-intake: const accepted = events.filter((_event, place) => «ON || »!doubled.has(place));',
  'a window of a throttle counts without its limit':
    'records/throttles: { _id, from, «...(!ON && { »count: { $lt: threshold }« })», runs',
  'a run that is taken up again takes another place in a throttle': `records/throttles: «if (ON) run = new run.constructor();
        »for (;;) {
            const found`,
  'a schedule goes on before its event is stored': `schedules/schedule-worker: «if (ON)
            await this.save(row, { at, status: 'triggered', transactionId: transactionIdOf(row, at) }, nextAfter(row, isMissed ? missedUntil : at));
        »const last = await this.outcomeOf(row, at, isMissed);`,
  'an answer of 503 does not say when to try again':
    'errors/describe-error: ...(«!ON && »retryAfterSeconds !== undefined && {',
  'events that wait bring a deleted person back':
    'expansion/departures: «if (!ON) »await this.refuseEvents(tenant, subscriberId);',
  'answers to one question do not see each other':
    "questions/question-store: status: 'open', «...(!ON && { »__v« })», lease:",
  'an answer after the time limit of a question counts':
    'questions/question-answers: if («!ON && »row.expiresAt <= at) {',
  'a step asks anew at each attempt': "questions/ask.step: 'question', «ON ? String(Date.now()) : »idempotencyKey)",
  'messages of a question go on after its end':
    'questions/question-closing: «if (!ON) »await this.events.cancel(caller, id);',
  'what was asked is forgotten when the clock is set back':
    'questions/question-asking: «(!ON && »isRecorded«)» || (at !== undefined && at <= soon« - (ON ? 240_000 : 0)»)',
  'a replay sends what may have arrived': 'run/replay-transitions: failed.filter((step) => «ON || »includesUncertain',
  'two replays of a notification do not see each other':
    "actions/replay.service: { _id: record._id, «...(!ON && { »updatedAt: before, status: { $ne: 'active' } }«) }»",
  'a request of a step is sent again after a process has died over it':
    "http_request/http-request.step: if («!ON && »isInterrupted && template.method !== 'GET')",
  'each attempt at a request has a key of its own':
    "http_request/http-caller: state._id.toHexString()« + (ON ? state.attempt : '')», ...headers",
  'a budget counts without looking who else does': 'records/budget-uses: updateOne({ _id, «...(!ON && { »seq }«) }»',
  'a message that may have arrived goes to the next integration': 'steps/retry-rules: hasNext && «(ON || »isFree«)» ?',
  'no other integration is tried': 'steps/retry-rules: return «!ON && »hasNext &&',
  'a message has another id at each attempt':
    'store/message-store: .update(«ON ? String(Date.now()) : »target).digest();',
  'a call that a dead process has begun is begun again':
    'records/step-state: calls.filter((call) => «!ON && »call.attempt === attempt)',
  'the webhook of a message is not awaited': `webhooks/webhook-recorder: «if (ON) return void this.batcher.submit(recording).catch(() => undefined);
        »await this.batcher.submit(recording);`,
  'the end of a wait does not see what came meanwhile': 'records/notification: («!ON && »(record.held === true',
  'the events of a digest are read before they are counted in': `digest/digest-collector: «if (!ON) »await this.mark(open);
        const found = await this.contributions([...open, ...closed]);« if (ON) await this.mark(open);»`,
  'an event ends before its notifications are stored':
    'expansion/expander: const active = «ON ? (void this.launch(planned).catch(() => undefined), new Set()) : »await this.launch(planned);',
  'who changes quiet hours does not see a run that is about to wait':
    'actions/held-runs: collection.updateMany(held, «ON ? { $unset: { nothing: 1 } } : »NOTE_EDIT)',
  'lifted quiet hours wake nobody':
    'actions/held-runs: collection.updateMany({ ...held, lease: { $exists: «ON || »false } }',
  'a snoozed message does not come back': 'marks/snooze-worker: enterState(«ON ? {} : »WOKEN, now)',
  'an open that was told remains to be told':
    'mail-tracking/engagement-teller: «if (!ON) »await this.engagements.settle(message, engagement);',
  'an open of a mail that is not stored yet is lost':
    'mail-tracking/recorded-engagements: «if (!ON) »await this.early.keep(claims, kind, engagement);',
  'events of all versions of a workflow share one snapshot': `records/workflow-version: «if (ON) return String(id);
    »return \`\${id}:\${version}\``,
};

/** What is built of Herald and is not played. */
const NOT_PLAYED = new Set(['bundle', 'console']);

/** All faults in one copy, so that Herald is loaded once. */
function copyWithFaults() {
  const folder = mkdtempSync(join(tmpdir(), 'herald-mutants-'));
  const filter = (path) => !NOT_PLAYED.has(basename(path));
  for (const name of readdirSync(ROOT)) {
    if (['dist', 'package.json'].includes(name))
      cpSync(join(ROOT, name), join(folder, name), { recursive: true, filter });
    else if (!name.startsWith('.')) symlinkSync(join(ROOT, name), join(folder, name));
  }
  const built = readdirSync(join(folder, 'dist'), { recursive: true }).map((path) => join(folder, 'dist', path));
  for (const [name, mutant] of Object.entries(MUTANTS)) {
    const [, end, marked] = /^(.*?): (.*)$/s.exec(mutant);
    const path = built.find((one) => one.endsWith(`/${end}.js`));
    const source = readFileSync(path, 'utf8');
    const [from, to] = [marked.replaceAll(/«.*?»/gs, ''), marked.replaceAll(/[«»]/g, '')];
    if (source.split(from).length !== 2) throw new Error(`${path} does not have this once: ${from}`);
    const faulty = to.replaceAll(/\bON\b/g, `(globalThis.fault === ${JSON.stringify(name)})`);
    writeFileSync(
      path,
      source.replace(from, () => faulty),
    );
  }
  return folder;
}

/** Plays seeds until one breaks a promise that it keeps without the fault. */
async function hunt(simulator, name, most) {
  for (let seed = 1; seed <= most; seed += 1) {
    globalThis.fault = name;
    const { failures } = await simulator.play(seed);
    globalThis.fault = undefined;
    if (failures.length > 0 && (await isKept(simulator, seed)))
      return { seed, promises: [...new Set(failures.map(({ promise }) => promise))].join(', ') };
  }
  return undefined;
}

const kept = new Map();
async function isKept(simulator, seed) {
  if (kept.has(seed)) return kept.get(seed);
  const { failures } = await simulator.play(seed);
  if (failures.length > 0)
    process.stdout.write(`Seed ${seed} does not count: it breaks a promise without any fault.\n`);
  kept.set(seed, failures.length === 0);
  return kept.get(seed);
}

const options = { seeds: { type: 'string', default: '20' } };
const { values, positionals } = parseArgs({ options, allowPositionals: true });
ensureBuilt();
const folder = copyWithFaults();
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const { Simulator } = await import('./run.mjs');
const simulator = new Simulator();
await simulator.open(`${pathToFileURL(join(folder, 'dist'))}/`);
const seeds = [];
for (const name of Object.keys(MUTANTS)) {
  if (positionals.length > 0 && !positionals.some((word) => name.includes(word))) continue;
  const found = await hunt(simulator, name, Number(values.seeds));
  seeds.push(found?.seed ?? Infinity);
  const result = found === undefined ? `NOT FOUND in ${values.seeds} seeds` : `seed ${found.seed}, ${found.promises}`;
  process.stdout.write(`${name}: ${result}\n`);
}
seeds.sort((a, b) => a - b);
const all = `${seeds.filter(Number.isFinite).length} of ${seeds.length} found`;
process.stdout.write(`${all}, median ${seeds[Math.floor(seeds.length / 2)]}\n`);
process.exit(seeds.every(Number.isFinite) ? 0 : 1);
