import { EventEmitter } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import workerThreads from 'node:worker_threads';

let answering;

/** What the program of a thread takes for the port to its parent. */
class Port extends EventEmitter {
  postMessage(message) {
    answering?.answer(message);
  }
}

/** A thread of the rendering pool as an actor's part: its program runs in this thread, one task for each step. */
class SimulatedWorker extends EventEmitter {
  isTerminated = false;
  ref = () => this;
  unref = () => this;

  constructor() {
    super();
    this.answer({ kind: 'ready' });
  }

  answer(message) {
    const copy = structuredClone(message);
    setTimeout(() => {
      if (!this.isTerminated) this.emit('message', copy);
    }, 0);
  }

  postMessage(task) {
    const copy = structuredClone(task);
    setTimeout(() => {
      if (this.isTerminated) return;
      answering = this;
      workerThreads.parentPort.emit('message', copy);
    }, 0);
  }

  terminate() {
    this.isTerminated = true;
    return Promise.resolve(0);
  }
}

/** From then on, threads are simulated. @param program what a thread of Herald runs */
export async function replaceThreads(program) {
  workerThreads.Worker = SimulatedWorker;
  workerThreads.parentPort = new Port();
  syncBuiltinESMExports();
  await import(program);
}
