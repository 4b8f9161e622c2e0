import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { FIRST_PORT, KEY } from './herald.mjs';
import { world } from './world/world.mjs';

const GIVES_UP_MS = 40_000;

/** One request. @returns `status` 0 where the connection ended or nothing was answered in time */
function ask(port, method, path, body) {
  return new Promise((resolve) => {
    const text = body === undefined ? '' : JSON.stringify(body);
    const headers = {
      authorization: `ApiKey ${KEY}`,
      ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
    };
    const sent = request({ method, path, headers, port, agent: false });
    const lost = () => {
      clearTimeout(limit);
      sent.destroy();
      resolve({ status: 0 });
    };
    const limit = setTimeout(lost, GIVES_UP_MS);
    sent.on('error', lost);
    sent.on('response', (response) => {
      let answer = '';
      response.setEncoding('utf8').on('data', (piece) => (answer += piece));
      response.on('error', lost).on('aborted', lost);
      response.on('end', () => {
        clearTimeout(limit);
        resolve({ status: response.statusCode, data: dataOf(answer), text: answer, headers: response.headers });
      });
    });
    sent.end(text);
  });
}

function dataOf(text) {
  try {
    const body = JSON.parse(text);
    return body.data ?? body;
  } catch {
    return undefined;
  }
}

/** Calls that must succeed, before anything goes wrong. */
export async function call(method, path, body) {
  const { status, data, text } = await ask(FIRST_PORT, method, path, body);
  if (status < 200 || status > 299) throw new Error(`${method} ${path}: ${status} ${text}`);
  return data;
}

/** Somebody who calls Herald while it is disturbed. */
export class Client {
  constructor(dice, processes) {
    Object.assign(this, { dice, processes });
  }

  /** @param refusals statuses that are right as well, where the clock jumps */
  async once(method, path, body, refusals = []) {
    const { port, name } = this.dice.of(this.processes);
    const { status, data, text, headers } = await ask(port, method, path, body);
    const isOk = status >= 200 && status < 400;
    const shown = isOk ? `${status}` : status === 0 ? 'no answer' : `${status} ${text?.slice(0, 200)}`;
    world.tell(`${method} ${path} at ${name}: ${shown}`);
    const isExpected =
      isOk || refusals.includes(status) || status === 0 || (status === 503 && headers['retry-after'] !== undefined);
    if (!isExpected) world.fail('P14', `${method} ${path} is answered with ${shown}`);
    return { isOk, data };
  }

  /** Repeats a request until it succeeds: without an answer it may have been carried out or not. */
  async insist(method, path, body) {
    for (;;) {
      const { isOk, data } = await this.once(method, path, body);
      if (isOk) return data;
      await sleep(this.dice.between(200, 2_000));
    }
  }
}
