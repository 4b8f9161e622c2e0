import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createChannelRegistry } from '#libs/channels';
import { CALLBACK_ROWS, compareCallbacks } from './callbacks.mjs';
import { differences, isAbout, meaningOf } from './compare.mjs';
import { install } from './libraries.mjs';
import { MESSAGES } from './messages.mjs';
import { startRecorder } from './recorder.mjs';
import { readSpecification } from './specification.mjs';
import { ROWS } from './table.mjs';

// npm run test:providers [-- ID ...]: sends the same messages through the library of a provider's maker and through Herald to one server on
// loopback, and compares the requests. Libraries are installed into the cache folder of the user. With PROVIDER_SPECS=DIR, the
// requests are compared with the specifications there as well.
const { positionals: wanted } = parseArgs({ allowPositionals: true });
const SPECIFICATIONS = process.env.PROVIDER_SPECS;
// What is found there is executed, so it is a folder that nobody else writes to.
const LIBRARIES = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'herald-provider-libraries');

const folder = mkdtempSync(join(tmpdir(), 'herald-providers-'));
const faults = [];
const left = [];
try {
  mkdirSync(LIBRARIES, { recursive: true });
  // Installed before the recorder takes every connection of this process.
  const [rows, callbacks] = [ROWS, CALLBACK_ROWS].map((all) =>
    all.filter(({ id }) => wanted.length === 0 || wanted.includes(id)).map((row) => [row, libraryOf(row)]),
  );
  const recorder = await startRecorder(folder);
  const registry = createChannelRegistry({ allowPrivateUrls: true });
  for (const [row, library] of rows) await check(row, library, { recorder, registry });
  for (const [row, library] of callbacks) await checkCallbacks(row, library, { recorder, registry });
  await registry.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const line of left) console.log(`not compared: ${line}`);
console.log(`providers: ${faults.length === 0 ? 'ok' : `${faults.length} faults`}`);
process.exit(faults.length === 0 ? 0 : 1);

function libraryOf({ id, library, unchecked }) {
  if (unchecked !== undefined) left.push(`${id}: ${unchecked}`);
  if (library === undefined) return undefined;
  try {
    return install(library, LIBRARIES);
  } catch (error) {
    left.push(`${id}: ${error.message}`);
    return undefined;
  }
}

async function check(row, library, { recorder, registry }) {
  const specification = specificationOf(row);
  if (library === undefined && specification === undefined) return;
  const used = new Set();
  const found = [];
  const messages = Object.entries(MESSAGES[row.channel]).filter(([name]) => row.without?.[name] === undefined);
  for (const [name, given] of messages) {
    const message = { ...given, ...row.message, ...row.messages?.[name] };
    const herald = await recorded(recorder, row, () => sendByHerald(registry, row, message));
    found.push(...(herald.fault ? [`${name}: Herald sent nothing: ${herald.fault.message}`] : []));
    if (specification !== undefined) {
      for (const request of herald.requests)
        found.push(...(await specification(request)).map((line) => `${name}: specification: ${line}`));
    }
    if (library === undefined) continue;
    const official = await recorded(recorder, row, () => row.send(library, message));
    if (official.fault) found.push(`${name}: ${row.library} sent nothing: ${official.fault.stack}`);
    else
      found.push(...(await compared(row, herald.requests, official.requests, used)).map((line) => `${name}: ${line}`));
  }
  const idle = Object.keys(row.differs ?? {}).filter((place) => !used.has(place));
  if (library !== undefined) found.push(...idle.map((place) => `${place} is explained, and does not differ`));
  const as = [library && row.library, specification && row.specification.file].filter(Boolean).join(' and ');
  tell(`${row.id}: ${messages.length} messages, as ${as}`, found);
}

async function checkCallbacks(row, library, { recorder, registry }) {
  if (library === undefined) return;
  const { callback } = registry.get(row.channel, row.id);
  tell(`${row.id}: callbacks, as ${row.library}`, await compareCallbacks(row, library, callback, recorder));
}

function tell(what, found) {
  console.log(`${what}: ${found.length === 0 ? 'ok' : `${found.length} faults`}`);
  for (const line of found) console.log(`  ${line}`);
  faults.push(...found);
}

function specificationOf({ id, specification }) {
  if (specification === undefined) return undefined;
  const isThere = SPECIFICATIONS !== undefined && existsSync(join(SPECIFICATIONS, specification.file));
  if (isThere) return readSpecification(SPECIFICATIONS, specification);
  left.push(`${id}: ${specification.file}, because PROVIDER_SPECS names no folder with it`);
  return undefined;
}

function sendByHerald(registry, { id, channel, credentials }, message) {
  return registry.send(channel, id, message, { credentials, idempotencyKey: 'key-1' });
}

/** Answers are only good enough to let each side finish, so an error counts only where nothing was sent. */
async function recorded(recorder, { answers = {} }, send) {
  recorder.requests = [];
  recorder.answer = ({ path }) => answers[path] ?? answers['*'] ?? {};
  const fault = await send().then(
    () => undefined,
    (error) => error ?? new Error('no reason'),
  );
  const requests = recorder.requests.filter(({ path }) => answers[path]?.isPrelude !== true);
  return requests.length > 0 ? { requests } : { requests, fault: fault ?? new Error('no request') };
}

async function compared({ headers = ['authorization', 'content-type'], differs = {} }, herald, official, used) {
  if (herald.length !== official.length) return [`${herald.length} requests, and the library sends ${official.length}`];
  const lines = [];
  for (const [place, request] of herald.entries()) {
    const [ours, theirs] = await Promise.all([meaningOf(request, headers), meaningOf(official[place], headers)]);
    for (const { path, ...values } of differences(ours, theirs)) {
      const reason = Object.keys(differs).find((one) => isAbout(one, path));
      if (reason === undefined) lines.push(`${path}: ${values.herald}, and the library sends ${values.library}`);
      else used.add(reason);
    }
  }
  return lines;
}
