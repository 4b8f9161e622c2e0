import { inspect, styleText } from 'node:util';

const WIDTH = 100;

/**
 * Prints the demo: for people, or as JSON lines.
 * @param options.out where to; colours and widths follow from it
 */
export function createPrinter({ json, full, out }) {
  return json ? jsonPrinter(out) : peoplePrinter(out, full);
}

function jsonPrinter(out) {
  const line = (record) => out.write(`${JSON.stringify(record)}\n`);
  return {
    begin: ({ url, description }) => line({ type: 'begin', url, description }),
    chapter: ({ title }) => line({ type: 'chapter', title }),
    exchange: ({ title, method, path, body }, { status, ms, answer }) =>
      line({ type: 'exchange', title, method, path, body, status, ms: round(ms), answer }),
    arrival: ({ title }, { by, ms, arrival }) => line({ type: 'arrival', title, by, ms: round(ms), arrival }),
    note: (text) => line({ type: 'note', text }),
    end: ({ requests, ms, endpoints, arrivals }) =>
      line({ type: 'end', ok: true, requests, ms: round(ms), endpoints, arrivals }),
    failed: (message) => line({ type: 'end', ok: false, message }),
  };
}

function peoplePrinter(out, full) {
  const colours = out.isTTY === true && process.env.NO_COLOR === undefined;
  const paint = (style, text) => (colours ? styleText(style, text) : text);
  const print = (text = '') => out.write(`${text}\n`);
  let chapters = 0;

  return {
    begin: ({ url, description }) => {
      print();
      print(`  ${paint('bold', 'Herald')}  ${url}  ${paint('dim', `(${description})`)}`);
    },
    chapter: ({ title, about }) => {
      print();
      print(paint('bold', `${++chapters}. ${title}`));
      print(`   ${paint('dim', about)}`);
    },
    exchange: (step, { status, ms, answer }) => {
      const verdict = paint(status === step.status ? 'green' : 'red', String(status));
      const request = `${paint('cyan', step.method.padEnd(6))} ${shorten(step.path)}`;
      const gap = ' '.repeat(Math.max(2, WIDTH - 20 - step.method.padEnd(6).length - shorten(step.path).length));
      print();
      print(`   ${step.title}`);
      print(`   ${request}${gap}${verdict}  ${paint('dim', `${round(ms)} ms`.padStart(9))}`);
      if (step.body) print(block('→', step.body, colours));
      const { shown, hidden } = select(answer?.data ?? answer, full ? undefined : step.show, status === step.status);
      if (shown !== undefined) print(block('←', shown, colours));
      if (hidden > 0) print(paint('dim', `        and ${hidden} more fields`));
    },
    arrival: ({ title, show }, { by, ms, arrival, expected }) => {
      const wire = `${paint('magenta', by.toUpperCase().padEnd(6))} arrived`;
      print();
      print(`   ${title}`);
      print(`   ${wire} ${paint('dim', `${Math.round(ms)} ms after the trigger`)}`);
      print(block('⇠', select(arrival, full ? undefined : show, expected).shown, colours));
    },
    note: (text) => {
      print();
      print(paint('yellow', `   ${text}`));
    },
    end: ({ requests, ms, endpoints, arrivals }) => {
      const done = `   ${endpoints.length} endpoints of the interface and ${requests} requests answered as expected`;
      print();
      print(paint('green', `${done}, ${arrivals} messages arrived`) + paint('dim', `; ${round(ms)} ms of requests.`));
      print();
    },
    failed: (message) => {
      print();
      print(paint('red', `   Failed: ${message}`));
      print();
    },
  };
}

/** The fields that are worth reading; of lists, the fields of each entry. A surprise is shown whole. */
export function select(value, fields, expected = true) {
  if (fields === undefined || !expected || typeof value !== 'object' || value === null) {
    return { shown: value, hidden: 0 };
  }
  if (Array.isArray(value)) {
    const rows = value.map((row) => select(row, fields));
    return { shown: rows.map(({ shown }) => shown), hidden: rows[0]?.hidden ?? 0 };
  }
  const kept = fields.filter((field) => value[field] !== undefined);
  return {
    shown: Object.fromEntries(kept.map((field) => [field, value[field]])),
    hidden: Object.keys(value).length - kept.length,
  };
}

function block(arrow, value, colours) {
  const text = inspect(shortenIds(value), {
    depth: 8,
    colors: colours,
    compact: 3,
    breakLength: WIDTH + 10,
    sorted: false,
  });
  return text
    .split('\n')
    .map((line, index) => `      ${index === 0 ? arrow : ' '} ${line}`)
    .join('\n');
}

/** Record ids in a form that the eye can compare: `64f0…b9c0`. */
export function shorten(text) {
  return text.replace(/\b([0-9a-f]{4})[0-9a-f]{16}([0-9a-f]{4})\b/g, '$1…$2');
}

function shortenIds(value) {
  if (typeof value === 'string') return shorten(value);
  if (Array.isArray(value)) return value.map(shortenIds);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, shortenIds(child)]));
}

function round(ms) {
  return Math.round(ms * 10) / 10;
}
