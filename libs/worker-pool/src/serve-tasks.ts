import { parentPort } from 'node:worker_threads';
import type { TaskReply } from './pool-thread.js';

/** One at a time. */
export function serveTasks<Task, Result>(handler: (task: Task) => Result | Promise<Result>): void {
  const port = parentPort;
  if (port === null) throw new Error('This file runs in a thread of a pool.');
  const reply = (message: TaskReply<Result>): void => port.postMessage(message);
  const run = async (task: Task): Promise<void> => {
    try {
      reply({ kind: 'done', result: await handler(task) });
    } catch (error) {
      const { name, message } = error instanceof Error ? error : new Error('unknown fault');
      reply({ kind: 'failed', name, message });
    }
  };
  port.on('message', (task: Task) => void run(task));
  reply({ kind: 'ready' });
}
