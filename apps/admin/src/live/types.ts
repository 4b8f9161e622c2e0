import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandLine } from '#libs/config';
import { HeraldClient, HeraldUnavailable } from '../files/herald-client.js';
import { CommandError } from '../run-command.js';
import { typedWorkflows } from '../types/typed-workflows.js';
import { WRITERS } from '../types/written-types.js';
import type { LiveCommand } from './live-program.js';
import { numberIn, optionsIn } from './options.js';
import { PLACE_USAGE, placeIn } from './place.js';

export const TYPES_USAGE = `Usage: ${commandLine('types')} [options]

Writes the types of the payloads of all workflows, as their templates, conditions and declared variables need them.

  --as FORM        typescript, python, or tools: functions for agents with JSON schemas, as OpenAI takes them
                   (default: typescript)
  --out FILE       file to write (default: standard output)
  --watch          look for changes until Ctrl-C, and write the file when there are any; needs --out
  --interval MS    milliseconds between two looks (default: 2000, at least 100)

${PLACE_USAGE}
The key needs the scope read.
Exit codes: 0 written, or ended by Ctrl-C, 1 refused or not reachable, 2 wrong command line.`;

const OPTIONS = {
  as: { type: 'string', default: 'typescript' },
  out: { type: 'string' },
  watch: { type: 'boolean', default: false },
  interval: { type: 'string', default: '2000' },
} as const;

export const types: LiveCommand = async (args, env, { out, err, signal }) => {
  const { values, positionals } = optionsIn(args, OPTIONS);
  if (positionals.length > 0) throw new CommandError(TYPES_USAGE, 2);
  const writer = Object.hasOwn(WRITERS, values.as) ? WRITERS[values.as] : undefined;
  if (writer === undefined) throw new CommandError(`--as must be one of ${Object.keys(WRITERS).join(', ')}.`, 2);
  const { out: file, watch } = values;
  if (watch && file === undefined) throw new CommandError('--watch needs a file: --out FILE.', 2);
  const intervalMs = numberIn(values.interval, 'interval', [100, 3_600_000]);
  const client = new HeraldClient(placeIn(env), 0);
  const text = writer(await typedWorkflows(client));
  if (file === undefined) {
    out(text);
    return 0;
  }
  await save(file, text);
  err(`${file} is written.\n`);
  for (let last = text; watch;) {
    await sleep(intervalMs, undefined, { signal });
    const next = await typedWorkflows(client).then(writer, unlessGone(last));
    if (next === last) continue;
    await save(file, next);
    err(`${file} is written again.\n`);
    last = next;
  }
  return 0;
};

async function save(file: string, text: string): Promise<void> {
  await writeFile(file, text).catch((error: Error) => {
    throw new CommandError(`${file} cannot be written: ${error.message}`, 1);
  });
}

/** While Herald restarts, what is written stays. */
function unlessGone(last: string): (error: unknown) => string {
  return (error) => {
    if (error instanceof HeraldUnavailable) return last;
    throw error;
  };
}
