import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { styleText } from 'node:util';

/** Set by commands.mjs. */
const COMMAND = `${process.env.HERALD_COMMAND} call`;
const USAGE = `Usage: ${COMMAND} METHOD PATH [BODY] [--json]

Calls a route of the running Herald and prints the data of its answer, indented. PATH is what follows /v1/, such as
subscribers/ada; BODY is JSON, or - for standard input. --json prints the whole answer on one line.

  ${COMMAND} GET subscribers
  ${COMMAND} POST events/trigger '{"name":"order-shipped","to":"ada"}'

HERALD_URL names the Herald (default: http://127.0.0.1:3000, or PORT), HERALD_API_KEY the key (default: the file api-key in DATA_DIR).
`;

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** What is wrong with the command line or the installation; the message says what to do. */
class CallError extends Error {}

const args = process.argv.slice(2);
const words = args.filter((word) => word !== '--json');
if (words.includes('--help') || words.includes('-h') || words.length === 0) process.stdout.write(USAGE);
else
  await call(words, args.includes('--json')).catch((error) => {
    if (!(error instanceof CallError)) throw error;
    process.stderr.write(`herald call: ${error.message}\n`);
    process.exitCode = 1;
  });

async function call([method = '', path = '', body, ...rest], isRaw) {
  if (!METHODS.includes(method.toUpperCase()) || path === '' || rest.length > 0) {
    process.stderr.write(USAGE);
    process.exitCode = 2;
    return;
  }
  const base = (process.env.HERALD_URL || `http://127.0.0.1:${process.env.PORT || 3000}`).replace(/\/+$/, '');
  const url = `${base}/v1/${path.replace(/^\/?(v1\/)?/, '')}`;
  const sent = body === '-' ? await text(process.stdin) : body;
  const response = await answer(url, {
    method: method.toUpperCase(),
    headers: { authorization: `ApiKey ${apiKey()}`, 'content-type': 'application/json' },
    ...(sent !== undefined && { body: sent }),
  });
  const written = await response.text();
  if (!response.ok) process.exitCode = 1;
  const out = response.ok ? process.stdout : process.stderr;
  if (isRaw || written === '') return void out.write(written === '' ? '' : `${written}\n`);
  out.write(`${readable(written, out)}\n`);
}

async function answer(url, request) {
  try {
    return await fetch(url, request);
  } catch (error) {
    const reason = error.cause?.code ?? error.cause?.message ?? error.message;
    throw new CallError(`${url} cannot be reached (${reason}). Start Herald, or name it with HERALD_URL.`);
  }
}

function apiKey() {
  const { HERALD_API_KEY, API_KEY, DATA_DIR } = process.env;
  if (HERALD_API_KEY || API_KEY) return HERALD_API_KEY || API_KEY;
  const file = join(DATA_DIR || './.data', 'api-key');
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    throw new CallError(`there is no API key in ${file}. Set HERALD_API_KEY, or DATA_DIR to the data of Herald.`);
  }
}

/** An error as its texts, everything else as indented JSON without the envelope. */
function readable(written, out) {
  let value;
  try {
    value = JSON.parse(written);
  } catch {
    return written;
  }
  if (typeof value?.code === 'string' && 'message' in value) {
    return [`${value.statusCode} ${value.code}`, ...[value.message].flat(), ...[value.hint ?? []].flat()].join('\n');
  }
  const isWrapped = value !== null && typeof value === 'object' && 'data' in value;
  const json = JSON.stringify(isWrapped ? value.data : value, undefined, 2);
  const style = (name, part) => styleText(name, part, { stream: out });
  return out.isTTY === true
    ? json.replace(/^( *)("(?:[^"\\]|\\.)*")(?=:)/gm, (_all, space, key) => space + style('dim', key))
    : json;
}
