// The receivers of a run, each in a process of its own.
import { once } from 'node:events';
import { startProcess, stopProcess } from './processes.mjs';

/** @returns { port, counts(), total(), stop() }: mails by their subject, and all of them */
export async function startSmtpServer() {
  const { ask, ...server } = await start('smtp-server.mjs');
  return { ...server, counts: async () => new Map((await ask('counts')).counts) };
}

/** @returns { port, total(), kinds(), stop() }: all requests; by the first part of their path their count, and when the latest came */
export async function startHttpServer() {
  const { ask, ...server } = await start('http-server.mjs');
  return { ...server, kinds: async () => new Map((await ask('kinds')).kinds) };
}

async function start(program) {
  const child = startProcess(process.execPath, [new URL(program, import.meta.url).pathname], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [{ port }] = await once(child, 'message');
  const ask = async (question) => {
    child.send(question);
    return (await once(child, 'message'))[0];
  };
  return { port, ask, total: async () => (await ask('total')).total, stop: () => stopProcess(child) };
}
