import { inspect, isDeepStrictEqual, styleText } from 'node:util';
import { Herald, HeraldApiError } from '@herald/client';

const ANSWER_WITHIN_MS = 10_000;
const POLL_MS = 50;
const WIDTH = 100;

/** Something expected did not happen; the message says what. */
export class DemoFailure extends Error {}

/** Calls Herald and watches the catchers; prints each answer and arrival, then compares it with what the step expects. */
export class Narrator {
  totals = { requests: 0, ms: 0, arrivals: 0 };
  #seen = new Set();

  /**
   * @param herald its `url` and `apiKey`
   * @param catchers whose arrivals count
   * @param printer see `createPrinter`
   * @param withinMs how long an answer or a message may take to become the expected one
   */
  constructor(herald, catchers, printer, withinMs = 10_000) {
    Object.assign(this, { herald, catchers, printer, withinMs });
  }

  chapter(title, about) {
    this.printer.chapter(title, about);
  }

  /**
   * One request.
   * @param title what it does
   * @param route method and path
   * @param step.body the JSON body
   * @param step.status the expected status; by default 201 for POST and 200 otherwise
   * @param step.expect fields that the data must have with these values, or a function that returns a fault
   * @param step.show the fields of the answer to print
   * @returns the data of the answer
   */
  async call(title, route, step = {}) {
    const exchange = await exchangeWith(this.herald, route, step);
    this.totals.requests += 1;
    this.totals.ms += exchange.ms;
    const fault = faultOf(exchange, step.expect);
    this.printer.exchange(title, exchange, fault === undefined ? step.show : undefined);
    if (fault !== undefined) throw new DemoFailure(`${route}: ${fault}`);
    return exchange.answer?.data;
  }

  /** Repeats a request until its answer is the expected one; prints the last exchange only. */
  async waitFor(title, route, step) {
    const isDone = async () => faultOf(await exchangeWith(this.herald, route, step), step.expect) === undefined;
    await poll(isDone, this.withinMs);
    return this.call(title, route, step);
  }

  /** The data at a path, neither printed nor counted. */
  async read(path) {
    return (await exchangeWith(this.herald, `GET ${path}`)).answer?.data;
  }

  /** Removes a record if possible, neither printed nor counted. */
  async remove(path) {
    await exchangeWith(this.herald, `DELETE ${path}`).catch(() => undefined);
  }

  /**
   * Waits for a message to arrive.
   * @param step.at the catcher
   * @param step.match which of its arrivals is meant
   * @param step.since when it was triggered, in milliseconds of `performance.now()`
   */
  async arrived(title, { at, match, since, expect, show }) {
    const found = await poll(() => at.arrivals.find((one) => !this.#seen.has(one) && match(one)), this.withinMs);
    const seconds = this.withinMs / 1000;
    if (found === undefined) throw new DemoFailure(`${title} It did not arrive by ${at.kind} within ${seconds} s.`);
    this.#seen.add(found);
    this.totals.arrivals += 1;
    const { at: arrivedAt, ...arrival } = found;
    const fault = faultOfData(arrival, expect);
    this.printer.arrival(
      title,
      { by: at.kind, ms: arrivedAt - since, arrival },
      fault === undefined ? show : undefined,
    );
    if (fault !== undefined) throw new DemoFailure(`${title} ${fault}`);
    return arrival;
  }

  /** @throws {DemoFailure} if more arrived than was waited for: every message is due once */
  assertNothingElse() {
    const others = this.catchers.flatMap(({ arrivals }) => arrivals).filter((one) => !this.#seen.has(one));
    if (others.length > 0) throw new DemoFailure(`These arrived and were not due: ${JSON.stringify(others)}`);
  }
}

/** The first result that is neither undefined nor false, or undefined once the time has passed. */
async function poll(find, withinMs) {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const found = await find();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > deadline) return undefined;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

async function exchangeWith(herald, route, { body, status } = {}) {
  const [method, path] = route.split(' ');
  const started = performance.now();
  let response;
  const client = new Herald({
    baseUrl: herald.url,
    apiKey: herald.apiKey,
    timeoutMs: ANSWER_WITHIN_MS,
    fetch: async (url, init) => (response = await fetch(url, init)),
  });
  const answer = await client.request(method, path, { body }).catch((error) => {
    if (error instanceof HeraldApiError) return error.body;
    const reason = error.cause?.cause?.message ?? error.cause?.message ?? error.message;
    throw new DemoFailure(`${method} ${herald.url}${path} was not answered: ${reason}`);
  });
  const ms = performance.now() - started;
  const expected = status ?? (method === 'POST' ? 201 : 200);
  return { method, path, body, expected, status: response.status, ms, answer };
}

/** What is wrong with an exchange, or undefined. */
export function faultOf({ expected, status, answer }, expect) {
  if (status === expected) return faultOfData(answer?.data, expect);
  const message = [answer?.message ?? []].flat().join('; ');
  return `expected status ${expected}, got ${status}${message && ` (${message})`}`;
}

/** What is wrong with data, or undefined. */
export function faultOfData(data, expect) {
  if (typeof expect === 'function') return expect(data);
  for (const [path, wanted] of Object.entries(expect ?? {})) {
    const actual = path.split('.').reduce((value, key) => value?.[key], data);
    if (!isDeepStrictEqual(actual, wanted)) {
      return `expected ${path} to be ${JSON.stringify(wanted)}, got ${JSON.stringify(actual)}`;
    }
  }
  return undefined;
}

/** Prints the demo as text, or as JSON lines. `full` prints answers with every field. */
export function createPrinter({ json, full = false, out }) {
  return json ? jsonPrinter(out) : textPrinter(out, full);
}

function jsonPrinter(out) {
  const line = (record) => void out.write(`${JSON.stringify(record)}\n`);
  return {
    begin: ({ url, description }) => line({ type: 'begin', url, description }),
    chapter: (title) => line({ type: 'chapter', title }),
    exchange: (title, { method, path, body, status, ms, answer }) =>
      line({ type: 'exchange', title, method, path, body, status, ms: round(ms), answer }),
    arrival: (title, { by, ms, arrival }) => line({ type: 'arrival', title, by, ms: round(ms), arrival }),
    end: ({ requests, ms, arrivals }) => line({ type: 'end', ok: true, requests, ms: round(ms), arrivals }),
    failed: (message) => line({ type: 'end', ok: false, message }),
  };
}

function textPrinter(out, full) {
  const colours = out.isTTY === true && process.env.NO_COLOR === undefined;
  const paint = (style, text) => (colours ? styleText(style, text) : text);
  const print = (...lines) => void out.write(`\n${lines.map((line) => `${line}\n`).join('')}`);
  let chapters = 0;
  return {
    begin: ({ url, description }) => print(`  ${paint('bold', 'Herald')}  ${url}  ${paint('dim', `(${description})`)}`),
    chapter: (title, about) => print(paint('bold', `${++chapters}. ${title}`), `   ${paint('dim', about)}`),
    exchange: (title, { method, path, body, expected, status, ms, answer }, show) => {
      const route = `${method.padEnd(6)} ${shorten(path)}`.padEnd(WIDTH - 19);
      const verdict = paint(status === expected ? 'green' : 'red', String(status));
      print(`   ${title}`, `   ${route} ${verdict}  ${paint('dim', `${round(ms)} ms`)}`);
      if (body !== undefined) out.write(block('→', body, colours));
      const shown = select(answer?.data ?? answer, full ? undefined : show);
      if (shown !== undefined) out.write(block('←', shown, colours));
    },
    arrival: (title, { by, ms, arrival }, show) => {
      const after = paint('dim', `${Math.round(ms)} ms after the trigger`);
      print(`   ${title}`, `   ${paint('magenta', by.toUpperCase().padEnd(6))} arrived ${after}`);
      out.write(block('⇠', select(arrival, full ? undefined : show), colours));
    },
    end: ({ requests, ms, arrivals }) =>
      print(
        paint('green', `   ${requests} requests answered as expected, ${arrivals} messages arrived`) +
          paint('dim', `; ${round(ms)} ms of requests.`),
      ),
    failed: (message) => print(paint('red', `   Failed: ${message}`)),
  };
}

/** The named fields of an object or of each entry of a list; everything if no fields are named. */
export function select(value, fields) {
  if (fields === undefined || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((row) => select(row, fields));
  const kept = fields.filter((field) => value[field] !== undefined);
  return Object.fromEntries(kept.map((field) => [field, value[field]]));
}

function block(arrow, value, colors) {
  const text = shorten(inspect(value, { depth: 8, colors, compact: 3, breakLength: WIDTH + 10 }));
  return text.replace(/^/gm, '        ').replace('        ', `      ${arrow} `) + '\n';
}

/** Shortens record ids to a form that the eye can compare: `64f0…b9c0`. */
export function shorten(text) {
  return text.replace(/\b([0-9a-f]{4})[0-9a-f]{16}([0-9a-f]{4})\b/g, '$1…$2');
}

function round(ms) {
  return Math.round(ms * 10) / 10;
}
