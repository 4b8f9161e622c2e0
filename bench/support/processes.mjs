// Child processes of a run: started on loopback, measured through /proc, and ended with the run whatever happens.
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const STOP_WITHIN_MS = 12_000;
/** The kernel counts processor time in hundredths of a second. */
const TICK_MS = 10;
const MEGABYTE_KB = 1_024;

const children = new Set();
const folders = new Set();

process.once('exit', () => {
  for (const child of children) killGroup(child, 'SIGKILL');
  for (const folder of folders) remove(folder);
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(130));

/** A folder that is removed at the end of the run. */
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'herald-bench-'));
  folders.add(folder);
  return folder;
}

function remove(folder) {
  // A store that is being killed can still be writing.
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

/**
 * Starts a program in a process group of its own, so that whatever it starts ends with it. It sees only the given settings and
 * what a program needs to run: the settings of the caller's shell must not change a measurement.
 */
export function startProcess(command, args, { env = {}, cwd, stdio = ['ignore', 'ignore', 'inherit'] } = {}) {
  const { PATH, HOME, TMPDIR } = process.env;
  const child = spawn(command, args, {
    cwd,
    env: { PATH, HOME, TMPDIR, NODE_ENV: 'production', ...env },
    stdio,
    detached: true,
  });
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}

/** Asks a process to end, and kills it if it does not. */
export async function stopProcess(child) {
  if (hasEnded(child)) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => killGroup(child, 'SIGKILL'), STOP_WITHIN_MS);
  await ended;
  clearTimeout(timer);
}

export const hasEnded = (child) => child.exitCode !== null || child.signalCode !== null;

function killGroup(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch {
    // It has ended.
  }
}

/** Below the ports that the system gives to outgoing connections: one of those could have the port before it is used. */
const PORTS = [15_000, 32_000];

export async function freePort() {
  for (;;) {
    const port = randomInt(...PORTS);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

/** @throws {Error} if the condition does not hold in time */
export async function until(condition, { everyMs = 20, withinMs = 300_000, what = 'the condition' } = {}) {
  const deadline = Date.now() + withinMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`Waited ${withinMs / 1_000} s for ${what}.`);
    await sleep(everyMs);
  }
}

/** The process and what it started, except an embedded store, which is measured by itself. */
export function familyOf(pid) {
  const found = [];
  const visit = (one) => {
    if (isStore(one)) return;
    found.push(one);
    childrenOf(one).forEach(visit);
  };
  visit(pid);
  return found;
}

/** The embedded store that a process has started. */
export const storeOf = (pid) => childrenOf(pid).find(isStore);

const isStore = (pid) => readProc(`${pid}/cmdline`).includes('--dbpath');

function childrenOf(pid) {
  const tasks = readdirSyncOrEmpty(`/proc/${pid}/task`);
  return tasks.flatMap((task) => readProc(`${pid}/task/${task}/children`).split(' ').filter(Boolean).map(Number));
}

function readdirSyncOrEmpty(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readProc(path) {
  try {
    return readFileSync(`/proc/${path}`, 'utf8');
  } catch {
    return '';
  }
}

/** Processor time of processes so far, user and system, in ms; 0 where there is no /proc. */
export function cpuMs(pids) {
  const ticks = pids.map((pid) => {
    // The name, in parentheses, may hold blanks; the times are the 12th and 13th field after it.
    const fields = readProc(`${pid}/stat`).split(') ').at(-1).split(' ');
    return Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
  });
  return sum(ticks) * TICK_MS;
}

/** Resident memory of processes in MB. */
export function residentMb(pids) {
  const kilobytes = pids.map((pid) => Number(/VmRSS:\s+(\d+)/.exec(readProc(`${pid}/status`))?.[1] ?? 0));
  return sum(kilobytes) / MEGABYTE_KB;
}

/** The part of it that is not pages of files: the system takes those back when it needs the memory. Linux only. */
export function anonymousMb(pids) {
  const kilobytes = pids.map((pid) => Number(/RssAnon:\s+(\d+)/.exec(readProc(`${pid}/status`))?.[1] ?? 0));
  return sum(kilobytes) / MEGABYTE_KB;
}

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/**
 * Waits until processes are idle: what one contestant still does (delivery after a trigger, garbage collection) must not
 * be paid by the next.
 */
export async function settle(pids, { busyPart = 0.07, windowMs = 150, withinMs = 60_000 } = {}) {
  const deadline = Date.now() + withinMs;
  for (let before = cpuMs(pids); Date.now() < deadline;) {
    await sleep(windowMs);
    const now = cpuMs(pids);
    if (now - before <= windowMs * busyPart) return;
    before = now;
  }
}
