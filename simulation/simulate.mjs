// Plays the whole of Herald under faults that a seed chooses: the same seed, the same run.
import { existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ensureBuilt } from '../tools/build.mjs';
import { PROMISES } from './promises.mjs';

const USAGE = `Usage: npm run simulate [-- options]

  (none)            the seeds that have failed before, and then new ones for a minute
  --seed N          one run, and its story
  --json            the story of the run as JSON, one line for each step that somebody can see
  --seeds N         so many seeds, from --from on (1)
  --again           plays each seed twice and compares the hashes of all steps
  --until-failure   new seeds until one of them breaks a promise
  --hours H         new seeds for so many hours

Exit code 1: a promise was broken, or a seed was played differently the second time.
`;
const MINUTE_MS = 60_000;
const FAILED = new URL('failed-seeds.json', import.meta.url);

// The clock of the machine: Date is simulated as soon as Herald is loaded.
const startedAt = process.hrtime.bigint();
const realNow = process.hrtime.bigint.bind(process.hrtime);
const firstOfToday = Math.floor(Date.now() / 86_400_000) * 100_000;
const elapsedMs = () => Number(realNow() - startedAt) / 1e6;
const print = (line) => process.stdout.write(`${line}\n`);

const options = readOptions();
ensureBuilt();
const { Simulator } = await import('./run.mjs');
const simulator = new Simulator();
simulator
  .open()
  .then(play)
  .catch((error) => {
    process.stderr.write(`${error?.stack ?? error}\n`);
    process.exit(1);
  });

async function play() {
  let played = 0;
  let isGood = true;
  for (const seed of seeds()) {
    const result = await simulator.play(seed, options.seed === undefined ? undefined : tell);
    const again = options.again ? await simulator.play(seed) : result;
    played += 1;
    if (again.hash !== result.hash) {
      isGood = false;
      print(`seed ${seed} is played differently the second time: ${result.hash}, ${again.hash}`);
    }
    report(result);
    if (result.failures.length > 0) {
      isGood = false;
      if (options['until-failure']) break;
    }
  }
  const seconds = elapsedMs() / 1_000;
  if (!options.json)
    print(`${played} seeds in ${seconds.toFixed(0)} s, ${isGood ? 'all promises kept' : 'NOT all promises kept'}`);
  process.exit(isGood ? 0 : 1);
}

/** @yields the seeds to play, until the time is over */
function* seeds() {
  if (options.seed !== undefined) return yield Number(options.seed);
  const from = Number(options.from ?? 1);
  if (options.seeds !== undefined) {
    for (let place = 0; place < Number(options.seeds); place += 1) yield from + place;
    return undefined;
  }
  if (existsSync(FAILED)) for (const { seed } of JSON.parse(readFileSync(FAILED, 'utf8'))) yield seed;
  const limit = options['until-failure'] ? Infinity : (Number(options.hours ?? 0) * 60 || 1) * MINUTE_MS;
  // Seeds of a day are others than those of the day before.
  for (let seed = Number(options.from ?? firstOfToday); elapsedMs() < limit; seed += 1) yield seed;
  return undefined;
}

/** A line for each thing that somebody did or saw: for people, or for programs. */
function tell(line) {
  const { atMs, step, who, what } = line;
  const time = `${(atMs / 1_000).toFixed(3).padStart(9)} s  ${String(step).padStart(6)}`;
  print(options.json ? JSON.stringify(line) : `${time}  ${who.padEnd(12)}  ${what}`);
}

function report({ seed, hash, steps, virtualMs, events, failures }) {
  if (options.json) return;
  const size = `${events} events, ${steps} steps, ${Math.round(virtualMs / 1_000)} virtual seconds`;
  print(`seed ${seed}: ${size}, ${hash}${failures.length > 0 ? ', BROKEN' : ''}`);
  for (const { promise, what, atMs, step } of failures.slice(0, 8)) {
    print(`  ${promise} (${PROMISES[promise]?.sentence ?? 'the simulator itself'})`);
    print(`    ${what}; at ${(atMs / 1_000).toFixed(3)} s, step ${step}`);
  }
  if (failures.length > 0) print(`  again, with its story: npm run simulate -- --seed ${seed}`);
}

function readOptions() {
  const numbers = ['seed', 'seeds', 'from', 'hours'].map((name) => [name, { type: 'string' }]);
  const words = ['json', 'again', 'until-failure', 'help'].map((name) => [name, { type: 'boolean', default: false }]);
  const { values } = parseArgs({ options: Object.fromEntries([...numbers, ...words]) });
  if (values.help) {
    process.stdout.write(USAGE);
    process.exit(0);
  }
  return values;
}
