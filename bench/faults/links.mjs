// Opens mails and follows their links, as recipients do, while faults come.
import { setTimeout as sleep } from 'node:timers/promises';

const PERSON =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';
const REQUEST_MS = 10_000;
const AT_ONCE = 4;

/** @param links paths, which mails that arrive add to @returns `end`, which follows the rest: how many requests there were */
export function followLinks({ fleet, links, random }) {
  let isEnding = false;
  let requests = 0;
  const one = async () => {
    for (;;) {
      const path = links.shift();
      if (path !== undefined) {
        while (!(await follow(path))) await sleep(100 + random() * 200);
      } else if (isEnding) return;
      else await sleep(100);
    }
  };
  const follow = async (path) => {
    const { url } = fleet.apis[Math.floor(random() * fleet.apis.length)];
    requests += 1;
    try {
      const signal = AbortSignal.timeout(REQUEST_MS);
      const answer = await fetch(url + path, { redirect: 'manual', headers: { 'user-agent': PERSON }, signal });
      return answer.status === 302 || answer.status === 200;
    } catch {
      return false;
    }
  };
  const working = Promise.all(Array.from({ length: AT_ONCE }, one));
  return {
    async end() {
      isEnding = true;
      await working;
      return requests;
    },
  };
}

/** What messages say about opens and clicks: { messageId, kind, count }. */
export async function engagementsIn(db) {
  const rows = await db
    .collection('messages')
    .find({ $or: [{ opens: { $exists: true } }, { clicks: { $exists: true } }] })
    .project({ opens: 1, clicks: 1 })
    .toArray();
  return rows.flatMap(({ _id, opens, clicks }) =>
    Object.entries({ opened: opens, clicked: clicks }).flatMap(([kind, list]) =>
      list === undefined ? [] : [{ messageId: _id.toHexString(), kind, count: list.length }],
    ),
  );
}
