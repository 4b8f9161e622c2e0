// Measures Herald beside a straightforward Nest application and a bare handler, and runs the long checks.
//   npm run bench -- [published] [--full] [--only NAME,NAME] [--dry] [--json FILE] [--rounds N] [--set NAME=VALUE] [--setting NAME=VALUE]
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt, ROOT } from '../tools/build.mjs';
import { SCENARIOS } from './scenarios/index.mjs';
import { extraSettings } from './support/herald.mjs';
import { published } from './support/published.mjs';
import { tables } from './support/report.mjs';

const USAGE = `Usage: npm run bench -- [options]

  published             fills the tables of docs/performance.md, on Node 26 and 20: an hour on a quiet machine
  --full                all measurements with more and longer rounds; half an hour or more
  --only NAME,NAME      these scenarios only; checks run only if they are named
  --dry                 loads what would run and lists it, without measuring
  --rounds N            rounds of each measurement
  --json FILE           writes the results there
  --set NAME=VALUE      an option of the scenarios, below
  --setting NAME=VALUE  a setting of Herald, such as LOG_LEVEL=silent

MONGODB_URI: a MongoDB to measure on, in databases that are dropped at the end, instead of the embedded store.

${Object.entries(SCENARIOS)
  .map(([name, { kind, about, settings }]) => {
    const options = Object.entries(settings).map((entry) => entry.join('='));
    return `  ${name.padEnd(10)} ${kind.padEnd(6)} ${about}\n${' '.repeat(20)}${options.join(' ')}`;
  })
  .join('\n')}
`;

/** A scenario that does not end must not hold up what waits for the run. Options of its own can make one long. */
const LONGEST_MS = { short: 10 * 60_000, full: 90 * 60_000 };

const { only, isFull, isDry, isPublished, json, changes } = options();
const say = (text) => process.stderr.write(`${text}\n`);
if (isDry) leave(0, await dryRun());
ensureBuilt();
if (isPublished) leave(0, insert(join(ROOT, 'docs/performance.md'), published(rest())));
const results = [];
for (const name of only) {
  say(`\n== ${name}`);
  const started = Date.now();
  // A scenario that fails must not lose the results of the others.
  const result = await runScenario(name).catch((error) => {
    say(error.stack);
    return { isGood: false, error: error.message };
  });
  results.push({ scenario: name, ...result, seconds: (Date.now() - started) / 1_000 });
}
const report = `${machine()}\n\n${tables(results)}`;
process.stdout.write(`\n${report}\n`);
if (json !== undefined) writeFileSync(json, `${JSON.stringify({ machine: machine(), isFull, results }, null, 2)}\n`);
process.exit(results.every(({ isGood }) => isGood !== false) ? 0 : 1);

/** @returns a line for each scenario with its options. @throws when a scenario cannot be loaded */
async function dryRun() {
  const lines = only.map(async (name) => {
    const { run } = await SCENARIOS[name].load();
    if (typeof run !== 'function') throw new Error(`The scenario '${name}' exports no 'run'.`);
    const settings = Object.entries(settingsOf(name)).map((entry) => entry.join('='));
    return `${[name, ...settings].join(' ')}\n`;
  });
  return (await Promise.all(lines)).join('');
}

function settingsOf(name) {
  const { settings, full } = SCENARIOS[name];
  const wanted = { ...settings, ...(isFull && full) };
  for (const [key, value] of changes)
    if (key in wanted) wanted[key] = typeof wanted[key] === 'number' ? Number(value) : value;
  return wanted;
}

async function runScenario(name) {
  const longest = setTimeout(
    () => {
      say(`${name} takes too long.`);
      process.exit(1);
    },
    LONGEST_MS[isFull || changes.length > 0 ? 'full' : 'short'],
  );
  try {
    const { run } = await SCENARIOS[name].load();
    return await run({ settings: settingsOf(name), say });
  } finally {
    clearTimeout(longest);
  }
}

function options() {
  const text = { type: 'string' };
  const many = { type: 'string', multiple: true, default: [] };
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      full: { type: 'boolean', default: false },
      dry: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      only: text,
      rounds: text,
      json: text,
      set: many,
      setting: many,
    },
  });
  if (values.help) leave(0, USAGE);
  const all = Object.entries(SCENARIOS);
  const chosen =
    values.only?.split(',') ?? all.filter(([, { kind }]) => isRun(kind, values.full)).map(([name]) => name);
  const unknown = chosen.filter((name) => !(name in SCENARIOS));
  if (unknown.length > 0) leave(2, `There is no scenario '${unknown.join("', '")}'.\n\n${USAGE}`);
  for (const pair of values.setting) Object.assign(extraSettings, Object.fromEntries([pairOf(pair)]));
  const pairs = values.set.map(pairOf);
  if (values.rounds !== undefined) pairs.push(['rounds', values.rounds]);
  const isPublished = positionals[0] === 'published';
  if (positionals.length > (isPublished ? 1 : 0)) leave(2, USAGE);
  const { full: isFull, dry: isDry, json } = values;
  return { only: chosen, isFull, isDry, isPublished, json, changes: pairs };
}

function isRun(kind, isFullRun) {
  return kind === 'short' || (isFullRun && kind === 'full');
}

function pairOf(text) {
  const at = text.indexOf('=');
  if (at < 1) leave(2, `'${text}' is not NAME=VALUE.\n\n${USAGE}`);
  return [text.slice(0, at), text.slice(at + 1)];
}

function leave(code, text) {
  process.stdout.write(text);
  process.exit(code);
}

/** What a reader needs to compare figures with those of another machine. */
function machine() {
  const [{ model }] = cpus();
  const stores = new Set(results.map(({ store }) => store).filter(Boolean));
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`;
  return [`${cpus().length} × ${model}`, memory, `Node ${process.versions.node}`, process.platform, ...stores].join(
    ', ',
  );
}

function insert(file, report) {
  const [begin, end] = ['<!-- bench:begin -->', '<!-- bench:end -->'];
  const text = readFileSync(file, 'utf8');
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${file} has no lines '${begin}' and '${end}'.`);
  writeFileSync(file, `${text.slice(0, from)}${begin}\n\n${report}\n\n${text.slice(to)}`);
  return `${report}\n`;
}

/** The options of this run, for those that it starts. */
function rest() {
  return process.argv.slice(2).filter((argument) => argument !== 'published');
}
