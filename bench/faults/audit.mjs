// Compares what was acknowledged with what was received and with the records.
import { rowsOfBudgets, rowsOfEngagements } from './audit-people.mjs';
import { rowsOfGuards } from './guards.mjs';
import { KINDS } from './load.mjs';

const SHOWN = 8;

/**
 * @param events the acknowledged ones, by number
 * @param received `inApp`: the contents of the messages; `mails` and `pushes`: times of arrival by `event/subscriber`;
 *   `failed`: why, by `event/subscriber`; `uncertain`: `event/subscriber` of messages of which Herald says that they may have been sent;
 *   `webhooks`: by message id
 * @param records `messages` that are sent: { id, transactionId, channel }; how much work is `unfinished`, and `contradictions` between
 *   events and their notifications
 * @returns rows { name, count, isGood, examples }
 */
export function audit({ events, received, records, answers, surprises }) {
  const inApp = countInApp(received.inApp);
  const lost = [];
  const doubledInApp = [];
  const delivered = { in_app: 0, mail: 0, push: 0, chat: 0 };
  const repeated = [];
  const despiteCancel = { in_app: [], others: [] };
  let uncertain = 0;
  for (const event of events.values()) {
    for (const subscriber of event.to) {
      for (const what of KINDS[event.kind].promises) {
        const key = `${event.n}/${subscriber}`;
        const count = what === 'in_app' ? (inApp.get(key) ?? 0) : arrivals(received, what, key).length;
        delivered[what] += Math.min(count, 1);
        const shown = `${event.n} (${event.kind}) to ${subscriber}: ${what}`;
        // An event whose cancellation was answered with `false` was too late to be stopped.
        if (count === 0 && (event.cancel === undefined || event.cancel.answer === false)) {
          if (received.uncertain.has(key)) uncertain += 1;
          else lost.push(`${shown}, ${received.failed?.get(key) ?? 'which Herald does not call failed'}`);
        }
        if (count > 1) (what === 'in_app' ? doubledInApp : repeated).push(`${shown}, ${count} times`);
        if (count > 0 && isStopped(event, what))
          (what === 'in_app' ? despiteCancel.in_app : despiteCancel.others).push(shown);
      }
    }
  }
  const unannounced = records.messages.flatMap(({ id }) => (received.webhooks.has(id) ? [] : id));
  const byTransaction = new Map([...events.values()].map((event) => [event.transactionId, event]));
  const early = records.messages.flatMap((message) => earlyBy(message, byTransaction, received.webhooks));
  const unknown = [...inApp.keys()].filter((key) => !isAcknowledged(events, key));
  const throttled = throttles(events, inApp);
  const waits = waitsOf(events, inApp);
  return [
    row('events acknowledged', events.size, events.size > 0),
    row('of these by schedules', [...events.values()].filter(({ kind }) => KINDS[kind].isScheduled).length, true),
    row('cancellations answered with true and false', `${answered(events, true)}, ${answered(events, false)}`, true),
    row('in-app messages, mails, pushes, chats', Object.values(delivered).join(', '), true),
    none('lost', lost),
    none('in-app messages doubled', doubledInApp),
    none('in a message, but never acknowledged', unknown),
    row('throttled windows, and events that passed', `${throttled.windows}, ${throttled.passed}`, true),
    row('waits that got their event, and that timed out', `${waits.matched}, ${waits.timedOut}`, true),
    none('waits with another end than their event', waits.wrong),
    none('windows of throttles with too many or too few events', throttled.wrong),
    ...rowsOfParts(events, received, records),
    none('delivered before its time', early),
    none('mails, pushes and chats repeated', repeated),
    none('in-app messages delivered although true was answered', despiteCancel.in_app),
    none('mails and pushes delivered although true was answered', despiteCancel.others),
    none('events whose records contradict each other', records.contradictions),
    row('mails and pushes reported as uncertain', uncertain, true),
    none('sent messages without their webhook', unannounced),
    none('unfinished records', records.unfinished),
    row('answers', [...answers.counts].map(([what, count]) => `${what}: ${count}`).join(', '), true),
    row('longest answer, seconds', (answers.longestMs / 1_000).toFixed(1), true),
    none('answers other than 2xx and 503 with Retry-After', answers.faults),
    none('processes that ended by themselves', surprises),
  ];
}

const row = (name, count, isGood, examples = []) => ({ name, count, isGood, examples: examples.slice(0, SHOWN) });
const none = (name, list) => row(name, list.length, list.length === 0, list);

function rowsOfParts(events, received, { engagements }) {
  const make = { row, none };
  return [
    ...rowsOfBudgets(events, received, make),
    ...rowsOfEngagements(engagements, received, make),
    ...rowsOfGuards(received.guards, make),
  ];
}

/** Of each window, exactly as many events are delivered as its threshold says, or all if there were fewer. */
function throttles(events, inApp) {
  const windows = new Map();
  for (const { n, kind, to, slot } of events.values()) {
    const { threshold } = KINDS[kind];
    if (threshold === undefined) continue;
    for (const subscriber of to) {
      const name = `${kind} ${slot} of ${subscriber}`;
      const window = windows.get(name) ?? { threshold, sent: 0, passed: 0 };
      window.sent += 1;
      window.passed += inApp.get(`${n}/${subscriber}`) ?? 0;
      windows.set(name, window);
    }
  }
  const wrong = [...windows].flatMap(([name, { threshold, sent, passed }]) =>
    passed === Math.min(threshold, sent) ? [] : [`${name}: ${passed} of ${sent} passed`],
  );
  const passed = [...windows.values()].reduce((sum, window) => sum + window.passed, 0);
  return { windows: windows.size, passed, wrong };
}

/** Delivered once without a signal, and not at all if a signal has woken the wait. A late one finds either. */
function waitsOf(events, inApp) {
  const found = { matched: 0, timedOut: 0, wrong: [] };
  for (const { n, kind, to, signal } of events.values()) {
    if (KINDS[kind].isSignaled !== true) continue;
    for (const subscriber of to) {
      const count = inApp.get(`${n}/${subscriber}`) ?? 0;
      if (count === 0) found.matched += 1;
      else found.timedOut += 1;
      const isWoken = (signal?.woken ?? 0) > 0;
      const isRight = signal === undefined ? count === 1 : isWoken ? count === 0 : count <= 1;
      const shown = `${n} (${kind}) to ${subscriber}`;
      if (!isRight)
        found.wrong.push(`${shown}: delivered ${count} times, ${signal ? `woken ${signal.woken}` : 'no signal'}`);
    }
  }
  return found;
}

/** How often each event is in messages of each subscriber. */
function countInApp(contents) {
  const found = new Map();
  for (const content of contents) {
    const [subscriber, ...numbers] = content.split(/\s+/).filter(Boolean);
    for (const n of numbers) found.set(`${n}/${subscriber}`, (found.get(`${n}/${subscriber}`) ?? 0) + 1);
  }
  return found;
}

function arrivals({ mails, pushes, chats }, what, key) {
  const byWhat = { mail: mails, push: pushes, chat: chats };
  return byWhat[what]?.get(key) ?? [];
}

/** Whether `true` was answered to its cancellation, and means this message. Without faults it is not sent then. */
function isStopped({ kind, cancel }, what) {
  const { cancels, promises } = KINDS[kind];
  return cancel?.answer === true && (cancels ?? promises).includes(what);
}

function answered(events, answer) {
  return [...events.values()].filter(({ cancel }) => cancel?.answer === answer).length;
}

/** Webhooks say when a message was sent: the clocks of the processes may be wrong. */
function earlyBy({ id, transactionId, channel }, events, webhooks) {
  const event = events.get(transactionId);
  const waitMs = event && KINDS[event.kind].waitsMs?.[channel];
  const at = webhooks.get(id)?.[0];
  if (waitMs === undefined || at === undefined || at >= event.sentAt + waitMs) return [];
  return [`${event.n} (${event.kind}) after ${at - event.sentAt} ms`];
}

function isAcknowledged(events, key) {
  const [n, subscriber] = key.split('/');
  return events.get(Number(n))?.to.includes(subscriber) === true;
}

/** @returns the rows as a table, with examples of what is wrong below it */
export function tableOf(rows) {
  const width = Math.max(...rows.map(({ name }) => name.length));
  const lines = rows.map(({ name, count, isGood }) => `${isGood ? '  ' : '! '}${name.padEnd(width)}  ${count}`);
  const examples = rows
    .filter(({ isGood }) => !isGood)
    .flatMap(({ name, examples: list }) => list.map((one) => `${name}: ${one}`));
  return [...lines, ...examples].join('\n');
}
