// Faults at random times: of processes, of connections, of the answers of the store.
import { spawnSync } from 'node:child_process';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LEASE_MS } from './fleet.mjs';
import { HOUSEKEEPING, PASS } from './link.mjs';

const HOUR_MS = 3_600_000;
/** Not writable any more, stepped down, interrupted, not primary and not secondary: what a replica set answers in a fail-over. */
const STEP_DOWN_CODES = [10107, 189, 91, 11600, 13435];
const STORE_FOLDER_MB = 200;

/** Faults of processes. Each takes (run, member) and ends when the process may be disturbed again. */
const OF_PROCESSES = {
  kill: (_run, member) => member.signal('SIGKILL'),
  suspend: async ({ random }, member) => {
    member.signal('SIGSTOP');
    await sleep(LEASE_MS * (0.2 + random() * 2));
    member.signal('SIGCONT');
  },
  restart: (_run, member) => member.signal('SIGTERM'),
  'clock off': async ({ fleet, random }, member) => {
    fleet.shiftClock(member, random() < 0.5 ? HOUR_MS : -HOUR_MS);
    member.signal('SIGTERM');
    await sleep(4_000 + random() * 3_000);
    fleet.shiftClock(member, 0);
    member.signal(random() < 0.5 ? 'SIGTERM' : 'SIGKILL');
  },
};

/** By kind of process, with repetitions as weights. */
const FAULTS_OF = {
  api: ['kill', 'suspend', 'restart'],
  worker: ['kill', 'kill', 'suspend', 'suspend', 'restart', 'clock off'],
  store: ['kill', 'suspend'],
  redis: ['kill', 'suspend'],
};
const KINDS_OF_PROCESSES = ['api', 'api', 'worker', 'worker', 'worker', 'worker', 'store', 'redis'];

/** Faults of connections: of one link or of all to the same engine. */
const OF_LINKS = {
  cut: (_run, links) => links.forEach((link) => link.cut()),
  slow: async ({ random }, links) => {
    await during(links, { kind: 'slow', ms: 5 + random() * 60 }, 1_000 + random() * 2_000);
  },
  silent: async ({ random }, links) => {
    await during(links, { kind: 'silent' }, 500 + random() * 5_000);
    // Half of the outages end with lost connections.
    if (random() < 0.5) links.forEach((link) => link.cut());
  },
  refused: ({ random }, links) => during(links, { kind: 'refuse' }, 300 + random() * 2_500),
};

/** Answers of the store in its place; connections are closed afterwards, as a server does that steps down. */
const OF_ANSWERS = {
  'step down': async ({ random }, links) => {
    const code = STEP_DOWN_CODES[Math.floor(random() * STEP_DOWN_CODES.length)];
    const answer = (name) =>
      HOUSEKEEPING.has(name) ? undefined : { ok: 0, code, errmsg: 'the primary of the replica set changes' };
    await during(links, { kind: 'answer', answer }, 500 + random() * 2_000);
    links.forEach((link) => link.cut());
  },
};

async function during(links, state, ms) {
  for (const link of links) link.set(state);
  await sleep(ms);
  for (const link of links) link.set(PASS);
}

/** Disturbs until `endsAt`. @returns how often each fault was made, by its name */
export async function disturb(run) {
  const tally = new Map();
  const note = (name) => tally.set(name, (tally.get(name) ?? 0) + 1);
  const lanes = [
    repeat(run, () => disturbProcess(run, note)),
    repeat(run, () => disturbLinks(run, note)),
    ...(run.disk.isLimited ? [repeat(run, () => fillDisk(run, note), 9_000)] : []),
  ];
  await Promise.all(lanes);
  return tally;
}

async function repeat({ random, endsAt }, work, pauseMs = 2_000) {
  for (;;) {
    await sleep(pauseMs * (0.2 + random()));
    if (Date.now() > endsAt) return;
    await work();
  }
}

async function disturbProcess(run, note) {
  const { fleet, random, say } = run;
  const kind = pick(random, KINDS_OF_PROCESSES);
  const member = pick(
    random,
    fleet.members.filter((one) => one.kind === kind && !one.isBusy),
  );
  if (member === undefined) return;
  const fault = pick(random, FAULTS_OF[kind]);
  note(`${fault}: ${kind}`);
  say(`${fault}: ${member.name}`);
  member.isBusy = true;
  const work = Promise.resolve(OF_PROCESSES[fault](run, member)).finally(() => (member.isBusy = false));
  // A worker with a wrong clock works while others have faults.
  if (fault !== 'clock off') await work;
  else run.background.push(work);
}

async function disturbLinks(run, note) {
  const { fleet, random, say } = run;
  if (fleet.hasRedis && random() < 0.1) {
    note('flushed: redis');
    return void (await fleet.flushRedis());
  }
  const isStore = random() < 0.75;
  const links = fleet.links.filter((link) => link.isStore === isStore);
  const chosen = random() < 0.5 ? links : [pick(random, links)].filter(Boolean);
  if (chosen.length === 0) return;
  const faults = { ...OF_LINKS, ...(isStore && OF_ANSWERS) };
  const fault = pick(random, Object.keys(faults));
  note(`${fault}: ${isStore ? 'connections to the store' : 'connections to redis'}`);
  say(`${fault}: ${chosen.length === 1 ? chosen[0].name : `all to ${isStore ? 'the store' : 'Redis'}`}`);
  await faults[fault](run, chosen);
}

/** A small file system for the store, where the machine allows it. @returns { folder, isLimited } */
export function smallDisk(folder) {
  const isMounted =
    process.platform === 'linux' &&
    process.getuid() === 0 &&
    spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${STORE_FOLDER_MB}m`, 'tmpfs', folder]).status === 0;
  const remove = () => spawnSync('umount', ['-l', folder]);
  // Before the folder is removed.
  if (isMounted) process.prependOnceListener('exit', remove);
  return { folder, isLimited: isMounted };
}

async function fillDisk({ disk, random, say }, note) {
  note('full: disk of the store');
  say('full: disk of the store');
  const filler = join(disk.folder, 'filler');
  try {
    const { bavail, bsize } = statfsSync(disk.folder);
    writeFileSync(filler, Buffer.alloc(bavail * bsize));
  } catch {
    // Some other write was faster: it is full.
  }
  await sleep(500 + random() * 2_000);
  rmSync(filler, { force: true });
}

const pick = (random, list) => list[Math.floor(random() * list.length)];
