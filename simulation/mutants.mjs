// Faults made by hand, one at a time in a copy of what is built: each has to be found by some seed.
//   node simulation/mutants.mjs [--seeds N] [name ...]
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const ENGINE = 'src/engine/delivery';
const QUEUE = 'libs/work/src/work-queue.js';

/** Guards and orders that the engine needs: `from` stands once in the built file, and `to` takes its place. */
export const MUTANTS = [
  {
    name: 'the mark of a call is not awaited',
    file: `${ENGINE}/run/begun-calls.js`,
    from: 'const result = await this.batcher.submit(mark);',
    to: "const result = 'begun'; void this.batcher.submit(mark);",
  },
  {
    name: 'a call begins although its run was canceled',
    file: `${ENGINE}/run/begun-calls.js`,
    from: 'const unlessCanceled = before.length === 0;',
    to: 'const unlessCanceled = false;',
  },
  {
    name: 'outcomes are written without the lease',
    file: QUEUE,
    from: '{ ...keyOf(record, this.shardKey), lease: record.lease }',
    to: 'keyOf(record, this.shardKey)',
  },
  {
    name: 'a call begins although another process has its run',
    file: `${ENGINE}/run/begun-calls.js`,
    from: '{ ...runKey(record), lease, ...',
    to: '{ ...runKey(record), ...',
  },
  {
    name: 'a cancellation does not wait for its outcome',
    file: `${ENGINE}/expansion/run-cancellations.js`,
    from: 'while (open.held.length + open.free.length > 0)',
    to: 'while (false)',
  },
  {
    name: 'an announcement that failed is not repeated',
    file: `${ENGINE}/run/outcome-writer.js`,
    from: 'if (!isStoreUnavailable(error))\n                    return;',
    to: 'return;',
  },
  {
    name: 'messages of a batch are not awaited',
    file: `${ENGINE}/run/outcome-writer.js`,
    from: 'this.messages.insert(effects.flatMap(({ messages }) => messages)),',
    to: '(void this.messages.insert(effects.flatMap(({ messages }) => messages)).catch(() => undefined), new Set()),',
  },
  {
    name: 'accepted before it is stored',
    file: `${ENGINE}/event-intake.js`,
    from: 'const doubled = await inserting;',
    to: 'void inserting.catch(() => undefined); const doubled = new Set();',
  },
  {
    name: 'a window of a throttle counts without its limit',
    file: `${ENGINE}/records/throttles.js`,
    from: 'count: { $lt: threshold }, runs',
    to: 'runs',
  },
  {
    name: 'a run takes a second place in a throttle',
    file: `${ENGINE}/records/throttles.js`,
    from: ', runs: { $ne: run } }',
    to: ' }',
  },
  {
    name: 'the index of transaction ids is not unique',
    file: `${ENGINE}/records/trigger-event.js`,
    from: 'transactionId: 1 }, { unique: true })',
    to: 'transactionId: 1 }, {})',
  },
  {
    name: 'a schedule goes on before its event is stored',
    file: 'src/engine/schedules/schedule-worker.js',
    from: 'const last = await this.outcomeOf(row, at, isMissed);',
    to: `await this.save(row, { at, status: 'triggered', transactionId: transactionIdOf(row, at) }, nextAfter(row, isMissed ? missedUntil : at));
         const last = await this.outcomeOf(row, at, isMissed);`,
  },
  {
    name: 'an answer of 503 does not say when to try again',
    file: 'libs/http-kit/src/errors/describe-error.js',
    from: '    retryAfterSeconds: 2,\n',
    to: '',
  },
  {
    name: 'work is claimed ahead of time',
    file: QUEUE,
    from: 'const now = this.clock.now();\n            const rows',
    to: 'const now = new Date(this.clock.now().getTime() + 5_000);\n            const rows',
  },
  {
    name: 'events that wait bring a deleted person back',
    file: `${ENGINE}/expansion/departures.js`,
    from: 'await this.refuseEvents(tenant, subscriberId);',
    to: '',
  },
  {
    name: 'answers to one question do not see each other',
    file: 'src/engine/questions/question-store.js',
    from: "status: 'open', __v, lease:",
    to: "status: 'open', lease:",
  },
  {
    name: 'an answer after the time limit counts',
    file: 'src/engine/questions/question-answers.js',
    from: 'if (row.expiresAt <= at) {',
    to: 'if (false) {',
  },
  {
    name: 'a step asks anew at each attempt',
    file: 'src/engine/questions/ask.step.js',
    from: "'question', idempotencyKey)",
    to: "'question', String(Date.now()))",
  },
  {
    name: 'messages of a question go on after its end',
    file: 'src/engine/questions/question-closing.js',
    from: 'await this.events.cancel(caller, id);',
    to: ';',
  },
  {
    name: 'what was asked is forgotten when the clock is set back',
    file: 'src/engine/questions/question-asking.js',
    from: 'isRecorded || (at !== undefined && at <= soon)',
    to: 'at !== undefined && at <= soon - 240_000',
  },
  {
    name: 'a replay sends what may have arrived',
    file: `${ENGINE}/run/replay-transitions.js`,
    from: 'const again = failed.filter((step) => includesUncertain || !mayBeSent(step));',
    to: 'const again = failed;',
  },
  {
    name: 'two replays of a notification do not see each other',
    file: `${ENGINE}/actions/replay.service.js`,
    from: "{ _id: record._id, updatedAt: before, status: { $ne: 'active' } }",
    to: '{ _id: record._id }',
  },
  {
    name: 'a request of a step is sent again after a process has died over it',
    file: `${ENGINE}/steps/http_request/http-request.step.js`,
    from: "if (isInterrupted && template.method !== 'GET')",
    to: 'if (false)',
  },
  {
    name: 'each attempt at a request has a key of its own',
    file: `${ENGINE}/steps/http_request/http-caller.js`,
    from: 'state._id.toHexString(), ...headers',
    to: '`${state._id.toHexString()}-${state.attempt}`, ...headers',
  },
  {
    name: 'a budget counts without looking who else does',
    file: `${ENGINE}/records/budget-uses.js`,
    from: 'updateOne({ _id, seq }',
    to: 'updateOne({ _id }',
  },
  {
    name: 'a message that may have arrived goes to the next integration',
    file: `${ENGINE}/steps/retry-rules.js`,
    from: 'hasNext && isFree ?',
    to: 'hasNext ?',
  },
  {
    name: 'no other integration is tried',
    file: `${ENGINE}/steps/retry-rules.js`,
    from: 'hasNext && isFree ?',
    to: 'false ?',
  },
  {
    name: 'work is claimed that another process has claimed',
    file: QUEUE,
    from: '...keysOf(records, this.shardKey), ...due }',
    to: '...keysOf(records, this.shardKey) }',
  },
  {
    name: 'a message has another id at each attempt',
    file: 'src/engine/messages/store/message-store.js',
    from: '.update(target).digest();',
    to: '.update(String(Date.now())).digest();',
  },
  {
    name: 'a call that a dead process has begun is begun again',
    file: `${ENGINE}/records/step-state.js`,
    from: 'calls.filter((call) => call.attempt === attempt)',
    to: 'calls.filter((call) => call.attempt < attempt)',
  },
  {
    name: 'the webhook of a message is not awaited',
    file: 'src/outcomes/webhooks/webhook-recorder.js',
    from: 'await this.batcher.submit(recording);',
    to: 'void this.batcher.submit(recording).catch(() => undefined);',
  },
  {
    name: 'the end of a wait does not see what came meanwhile',
    file: `${ENGINE}/records/notification.js`,
    from: 'heldEdits: record.heldEdits ?? { $exists: false },',
    to: '',
  },
  {
    name: 'the events of a digest are read before they are counted in',
    file: `${ENGINE}/digest/digest-collector.js`,
    from: 'await this.mark(open);\n        const found = await this.contributions([...open, ...closed]);',
    to: 'const found = await this.contributions([...open, ...closed]);\n        await this.mark(open);',
  },
  {
    name: 'an event ends before its notifications are stored',
    file: `${ENGINE}/expansion/expander.js`,
    from: 'const active = await this.launch(planned);',
    to: 'const active = new Set(); void this.launch(planned).catch(() => undefined);',
  },
];

function copyWith({ file, from, to }) {
  const folder = mkdtempSync(join(tmpdir(), 'herald-mutant-'));
  for (const name of readdirSync(ROOT)) {
    if (name === 'dist' || name === 'package.json' || name.startsWith('.')) continue;
    symlinkSync(join(ROOT, name), join(folder, name));
  }
  cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  linkFolder(join(ROOT, 'dist'), join(folder, 'dist'));
  const path = join(folder, 'dist', file);
  const source = readFileSync(path, 'utf8');
  if (source.split(from).length !== 2) throw new Error(`${file} does not have this once: ${from}`);
  unlinkSync(path);
  writeFileSync(
    path,
    source.replace(from, () => to),
  );
  return folder;
}

/** Links of files: nothing but the changed one is written. */
function linkFolder(from, to) {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (entry.name === 'bundle' || entry.name === 'console') continue;
    if (entry.isDirectory()) linkFolder(join(from, entry.name), join(to, entry.name));
    else linkSync(join(from, entry.name), join(to, entry.name));
  }
}

function hunt(mutant, most) {
  const folder = copyWith(mutant);
  try {
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [join(ROOT, 'simulation/simulate.mjs'), '--until-failure', '--seeds', String(most)],
      {
        encoding: 'utf8',
        env: { ...process.env, SIMULATION_DIST: `${pathToFileURL(join(folder, 'dist')).href}/` },
        timeout: 1_800_000,
      },
    );
    const seeds = [...stdout.matchAll(/^seed (\d+): .*$/gm)];
    const promises = [...new Set([...stdout.matchAll(/^ {2}(P\d+) /gm)].map(([, id]) => id))];
    if (seeds.length === 0) return { found: undefined, why: (stderr || stdout).slice(-400) };
    return seeds.at(-1)[0].endsWith('BROKEN')
      ? { found: seeds.length, promises }
      : { found: undefined, played: seeds.length };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const { values, positionals } = parseArgs({
  options: { seeds: { type: 'string', default: '20' } },
  allowPositionals: true,
});
const chosen = MUTANTS.filter(
  ({ name }) => positionals.length === 0 || positionals.some((word) => name.includes(word)),
);
const needed = [];
for (const mutant of chosen) {
  const result = hunt(mutant, Number(values.seeds));
  needed.push(result.found ?? Infinity);
  process.stdout.write(
    `${mutant.name}: ${result.found === undefined ? `NOT FOUND ${result.why ?? `in ${result.played} seeds`}` : `seed ${result.found}, ${result.promises.join(', ')}`}\n`,
  );
}
const sorted = needed.sort((a, b) => a - b);
process.stdout.write(
  `${sorted.filter(Number.isFinite).length} of ${sorted.length} found, median ${sorted[Math.floor(sorted.length / 2)]}\n`,
);
process.exitCode = sorted.every(Number.isFinite) ? 0 : 1;
