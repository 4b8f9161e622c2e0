import { setTimeout as sleep } from 'node:timers/promises';
import { commandLine } from '#libs/config';
import { ApiFault, HeraldClient, HeraldUnavailable } from '../files/herald-client.js';
import { printable, toJson } from '../printable.js';
import { CommandError } from '../run-command.js';
import { type Delivery, ENDED, whyLine } from './deliveries.js';
import { Follower } from './follower.js';
import type { LiveCommand, LiveStreams } from './live-program.js';
import { numberIn, optionsIn } from './options.js';
import { type Env, PLACE_USAGE, placeIn } from './place.js';

export const TAIL_USAGE = `Usage: ${commandLine('tail')} [options]

Follows the deliveries of the running Herald: prints a line for each step of a workflow when it ends, until Ctrl-C. When
Herald restarts, it waits, and goes on where it stopped.

  --workflow NAME      only this workflow, by its trigger identifier; can be repeated
  --subscriber ID      only this subscriber; can be repeated
  --status A,B         only some of ${ENDED.join(', ')}
  --since 10m          begin with what was triggered in the last 30s, 10m, 2h or 1d (default: with what ends from now on)
  --interval MS        milliseconds between two looks (default: 1000, at least 100)
  --json               print a JSON object on each line

${PLACE_USAGE}
Exit codes: 0 ended by Ctrl-C, 1 refused or not reachable at the start, 2 wrong command line.`;

const OPTIONS = {
  workflow: { type: 'string', multiple: true, default: [] as string[] },
  subscriber: { type: 'string', multiple: true, default: [] as string[] },
  status: { type: 'string' },
  since: { type: 'string' },
  interval: { type: 'string', default: '1000' },
  json: { type: 'boolean', default: false },
} as const;

const CALL_MS = 15_000;
const MAX_PAUSE_MS = 5_000;
const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

export const tail: LiveCommand = async (args, env, streams) => {
  const { values, positionals } = optionsIn(args, OPTIONS);
  if (positionals.length > 0) throw new CommandError(TAIL_USAGE, 2);
  const statuses = statusesIn(values.status);
  const intervalMs = numberIn(values.interval, 'interval', [100, 60_000]);
  const since = values.since === undefined ? undefined : momentIn(values.since);
  const follower = await begin(env, values, since, streams);
  const show = (found: readonly Delivery[]): void => {
    for (const one of found) {
      if (statuses.includes(one.status)) streams.out(`${values.json ? toJson(one) : wordsOf(one)}\n`);
    }
  };
  await follow(follower, intervalMs, show, streams);
  return 0;
};

async function begin(
  env: Env,
  { workflow, subscriber }: { readonly workflow: readonly string[]; readonly subscriber: readonly string[] },
  since: string | undefined,
  { signal, err }: LiveStreams,
): Promise<Follower> {
  const client = new HeraldClient(placeIn(env), 0);
  const options = { timeoutMs: CALL_MS, signal };
  const filters: [string, string][] = subscriber.map((id) => ['subscriberIds', id]);
  for (const name of workflow) {
    const { data } = await client.call('GET', `/v1/workflows/${encodeURIComponent(name)}`, undefined, options);
    filters.push(['templates', (data as { _id: string })._id]);
  }
  const follower = new Follower(client, filters, options);
  await follower.begin(since);
  const { data } = await client.call('GET', '/v1/environments/me', undefined, options);
  err(`Following ${printable((data as { name: string }).name)} at ${client.place.url}. Ctrl-C ends.\n`);
  return follower;
}

async function follow(
  follower: Follower,
  intervalMs: number,
  show: (found: readonly Delivery[]) => void,
  { signal, err }: LiveStreams,
): Promise<void> {
  let failures = 0;
  let hasWarned = false;
  while (!signal.aborted) {
    try {
      show(await follower.poll());
      if (failures > 0) err('Herald responds again.\n');
      failures = 0;
      if (follower.leavesOut && !hasWarned)
        err('Many notifications wait. Only the newest 1000 of them are followed.\n');
      hasWarned = follower.leavesOut;
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiFault || !(error instanceof HeraldUnavailable)) throw error;
      if (failures++ === 0) err(`${printable(error.message)} Trying again.\n`);
    }
    const pauseMs = Math.max(intervalMs, Math.min(MAX_PAUSE_MS, failures * 250));
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

function wordsOf(one: Delivery): string {
  const time = one.at.replace('T', ' ').replace('Z', '');
  const parts = [time, one.status.padEnd(9), one.channel.padEnd(7), `${one.workflow} -> ${one.subscriberId}`];
  if (one.providerId !== undefined) parts.push(`(${one.providerId})`);
  const why = whyLine(one);
  return printable([...parts, ...(why === '' ? [] : [`- ${why}`]), `[${one.transactionId}]`].join(' '));
}

function statusesIn(list: string | undefined): readonly string[] {
  if (list === undefined) return ENDED;
  const names = list.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !ENDED.includes(name));
  if (unknown === undefined) return names;
  throw new CommandError(`--status: '${unknown}' is not one of ${ENDED.join(', ')}.`, 2);
}

function momentIn(text: string): string {
  const [, amount, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const unitMs = UNITS[unit];
  if (amount === undefined || unitMs === undefined) {
    throw new CommandError('--since must be a time such as 30s, 10m, 2h or 1d.', 2);
  }
  return new Date(Math.max(0, Date.now() - Number(amount) * unitMs)).toISOString();
}
