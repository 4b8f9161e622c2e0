// The limit and the circuit breaker of an integration: its provider goes down and comes back, and counts how fast it is asked.
import { setTimeout as sleep } from 'node:timers/promises';

/** Of the integration for push messages. */
export const PUSHES_PER_SECOND = 10;
/** Settings of all processes: outages of a run are shorter than real ones. */
export const BREAKERS = { DELIVERY_BREAKER_FAILURES: '3', DELIVERY_BREAKER_OPEN_MS: '1000' };

const UP_MS = { least: 2_000, more: 4_000 };
const DOWN_MS = { least: 3_000, more: 3_000 };
/** So many different messages fail in an outage that the breaker has to open, whichever process meets them. */
const ENOUGH = 25;
const WINDOW_MS = 5_000;
const LOOK_EVERY_MS = 200;

/** A provider that is down now and then. @returns `ask()`, for each request: whether it is up */
export function startOutages(random) {
  const asked = [];
  const found = { outages: 0, refused: 0 };
  let isDown = false;
  let timer;
  const turn = () => {
    isDown = !isDown;
    if (isDown) found.outages += 1;
    const { least, more } = isDown ? DOWN_MS : UP_MS;
    timer = setTimeout(turn, least + random() * more);
  };
  timer = setTimeout(turn, UP_MS.least);
  return {
    asked,
    found,
    ask() {
      asked.push(Date.now());
      if (isDown) found.refused += 1;
      return !isDown;
    },
    end() {
      clearTimeout(timer);
      isDown = false;
    },
  };
}

/** Looks at what the integrations say until it is ended. @returns { end() }: how often breakers have opened */
export function watchBreakers(db) {
  const opened = new Set();
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const down = { channel: 'push', 'outage.since': { $exists: true } };
      const rows = await db
        .collection('integrations')
        .find(down)
        .toArray()
        .catch(() => []);
      for (const { _id, outage } of rows) opened.add(`${_id} ${outage.since.getTime()}`);
      await sleep(LOOK_EVERY_MS);
    }
  })();
  return {
    async end() {
      isOver = true;
      await watching;
      return opened.size;
    },
  };
}

export function rowsOfGuards({ asked, found, opened }, { row, none }) {
  const most = (PUSHES_PER_SECOND * (WINDOW_MS + 1_000)) / 1_000;
  const tooFast = asked.flatMap((at, place) => {
    const count = asked.slice(place).findIndex((later) => later > at + WINDOW_MS);
    const inWindow = count < 0 ? asked.length - place : count;
    return inWindow > most ? [`${inWindow} in the ${WINDOW_MS / 1_000} s after ${new Date(at).toISOString()}`] : [];
  });
  return [
    row(
      'outages of the push provider, refusals in them, breakers that opened',
      `${found.outages}, ${found.refused}, ${opened}`,
      opened > 0 || found.refused < ENOUGH,
    ),
    none('times at which the push provider was asked too fast', tooFast),
  ];
}
