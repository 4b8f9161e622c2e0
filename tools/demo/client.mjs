import { isDeepStrictEqual } from 'node:util';

const ANSWER_WITHIN_MS = 10_000;
const ARRIVES_WITHIN_MS = 10_000;

/** A step answered otherwise than expected; the text is for people. */
export class DemoFailure extends Error {}

/**
 * Calls Herald, has each exchange printed, and compares it with what the step expects.
 * @param herald where it is and the key for it
 * @param printer gets every exchange
 */
export function createClient(herald, printer) {
  const send = (step) => exchangeWith(herald, step);
  const summary = { requests: 0, ms: 0, endpoints: new Set() };

  /**
   * One request.
   * @param step.title what is done, for people
   * @param step.status the expected status
   * @param step.expect fields that the data must have with these values, or a function that returns a fault
   * @param step.show fields of the answer that are worth reading
   * @param step.section the section of the interface, for its endpoints
   */
  async function call(step) {
    const exchange = await send(step);
    printer.exchange(step, exchange);
    summary.requests += 1;
    summary.ms += exchange.ms;
    const fault = faultOf(step, exchange);
    if (fault !== undefined) throw new DemoFailure(`${step.method} ${step.path}: ${fault}`);
    if (step.section !== undefined) summary.endpoints.add(step.section);
    return exchange.answer?.data;
  }

  /** Asks until the answer has arrived; prints the last exchange only. */
  async function waitFor(step) {
    const deadline = Date.now() + ARRIVES_WITHIN_MS;
    while (Date.now() < deadline) {
      if (faultOf(step, await send(step)) === undefined) break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return call(step);
  }

  /** The data at a path, neither printed nor counted. */
  async function read(path) {
    return (await send({ method: 'GET', path })).answer?.data;
  }

  /** Removes what should not outlive the demo, as well as it can. */
  async function remove(path) {
    await send({ method: 'DELETE', path }).catch(() => undefined);
  }

  return {
    call,
    waitFor,
    read,
    remove,
    summary: () => ({ ...summary, endpoints: [...summary.endpoints].sort(byNumber) }),
  };
}

async function exchangeWith(herald, { method, path, body }) {
  const started = performance.now();
  const response = await fetch(herald.url + path, {
    method,
    headers: { authorization: `ApiKey ${herald.apiKey}`, ...(body && { 'content-type': 'application/json' }) },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  }).catch((error) => {
    throw new DemoFailure(`${method} ${herald.url}${path} was not answered: ${error.cause?.message ?? error.message}`);
  });
  const text = await response.text();
  const ms = performance.now() - started;
  return { status: response.status, ms, answer: text === '' ? undefined : asJson(text) };
}

/** What is wrong with an answer, or undefined. */
export function faultOf({ status, expect }, exchange) {
  if (exchange.status !== status) {
    const message = [exchange.answer?.message ?? []].flat().join('; ');
    return `expected status ${status}, got ${exchange.status}${message && ` (${message})`}`;
  }
  return faultOfData(expect, exchange.answer?.data);
}

/** What is wrong with data, or undefined. */
export function faultOfData(expect, data) {
  if (typeof expect === 'function') return expect(data);
  for (const [path, wanted] of Object.entries(expect ?? {})) {
    const actual = path.split('.').reduce((value, key) => value?.[key], data);
    if (!isDeepStrictEqual(actual, wanted)) {
      return `expected ${path} to be ${JSON.stringify(wanted)}, got ${JSON.stringify(actual)}`;
    }
  }
  return undefined;
}

function asJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function byNumber(a, b) {
  return a.localeCompare(b, 'en', { numeric: true });
}
