// The SMTP server of a run, in a process of its own.
import { once } from 'node:events';
import { startProcess, stopProcess } from './processes.mjs';

/** @returns { port, counts(), total(), stop() }: mails by their subject, and all of them */
export async function startSmtpServer() {
  const program = new URL('./smtp-server.mjs', import.meta.url).pathname;
  const child = startProcess(process.execPath, [program], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const [{ port }] = await once(child, 'message');
  const ask = async (question) => {
    child.send(question);
    return (await once(child, 'message'))[0];
  };
  return {
    port,
    counts: async () => new Map((await ask('counts')).counts),
    total: async () => (await ask('total')).total,
    stop: () => stopProcess(child),
  };
}
