import { Worker } from 'node:worker_threads';
import { TaskFailed, TaskTimeout, WorkerLost } from './pool.errors.js';

export type TaskReply<Result> =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly result: Result }
  | { readonly kind: 'failed'; readonly name: string; readonly message: string };

export interface ThreadOptions {
  readonly file: string;
  readonly deadlineMs: number;
  readonly memoryMb: number;
  readonly data?: unknown;
}

/** Enough for an overloaded machine. */
const START_MS = 60_000;

interface Current<Result> {
  resolve(result: Result): void;
  reject(error: Error): void;
}

/** One task at a time. Keeps the process alive only while a task runs. */
export class PoolThread<Task, Result> {
  private readonly worker: Worker;
  private current: Current<Result> | undefined;
  private isReady = false;
  private timer: NodeJS.Timeout | undefined;
  isDead = false;

  constructor(private readonly options: ThreadOptions) {
    // Templates must not reach settings or arguments of the process.
    this.worker = new Worker(options.file, {
      env: {},
      argv: [],
      execArgv: [],
      workerData: options.data,
      resourceLimits: { maxOldGenerationSizeMb: options.memoryMb },
    });
    this.worker.on('message', (reply: TaskReply<Result>) => this.onReply(reply));
    this.worker.on('error', (error) => this.die(new WorkerLost({ cause: error })));
    this.worker.on('exit', () => this.die(new WorkerLost()));
    this.worker.unref();
  }

  run(task: Task): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.current = { resolve, reject };
      this.worker.ref();
      this.limit(this.isReady ? this.options.deadlineMs : START_MS);
      try {
        this.worker.postMessage(task);
      } catch (error) {
        this.free()?.reject(error instanceof Error ? error : new WorkerLost());
      }
    });
  }

  async end(): Promise<void> {
    this.die(new WorkerLost());
    await this.worker.terminate();
  }

  private limit(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.die(new TaskTimeout(ms)), ms);
  }

  private onReply(reply: TaskReply<Result>): void {
    if (reply.kind === 'ready') {
      this.isReady = true;
      // Loading the program does not count towards the deadline.
      if (this.current !== undefined) this.limit(this.options.deadlineMs);
      return;
    }
    const current = this.free();
    if (reply.kind === 'done') current?.resolve(reply.result);
    else current?.reject(new TaskFailed(reply.name, reply.message));
  }

  private die(error: Error): void {
    if (this.isDead) return;
    this.isDead = true;
    void this.worker.terminate();
    this.free()?.reject(error);
  }

  private free(): Current<Result> | undefined {
    clearTimeout(this.timer);
    this.worker.unref();
    const { current } = this;
    this.current = undefined;
    return current;
  }
}
