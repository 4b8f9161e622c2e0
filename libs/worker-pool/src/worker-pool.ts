import { FairQueue } from './fair-queue.js';
import { PoolBusy } from './pool.errors.js';
import { PoolThread } from './pool-thread.js';

export interface WorkerPoolOptions {
  /** The file calls `serveTasks`. Called when the first thread starts. */
  readonly file: () => string;
  readonly size: number;
  /** `workerData` of each thread. */
  readonly data?: () => unknown;
  /** Milliseconds per task. */
  readonly deadlineMs: number;
  /** Waiting tasks, of which one group may have half. Default 2,000. */
  readonly maxWaiting?: number;
  /** Heap of one thread, in megabytes. Default 256. */
  readonly memoryMb?: number;
}

interface Waiting<Task, Result> {
  readonly task: Task;
  resolve(result: Result | Promise<Result>): void;
  reject(error: Error): void;
}

/** A fixed number of threads. Groups of tasks cannot block each other. */
export class WorkerPool<Task, Result> {
  private readonly threads = new Set<PoolThread<Task, Result>>();
  private readonly idle: PoolThread<Task, Result>[] = [];
  private readonly queue = new FairQueue<Waiting<Task, Result>>();
  private readonly running = new Map<string, number>();
  private readonly maxWaiting: number;
  private readonly share: number;
  private isClosed = false;

  constructor(private readonly options: WorkerPoolOptions) {
    this.maxWaiting = options.maxWaiting ?? 2_000;
    // One of several threads is always left to other groups.
    this.share = Math.max(1, options.size - 1);
  }

  /** @throws {PoolBusy} @throws {TaskTimeout} @throws {WorkerLost} @throws {TaskFailed} */
  run(task: Task, group: string): Promise<Result> {
    if (this.isClosed) return Promise.reject(new PoolBusy('the pool is closed'));
    const isFull = this.queue.size >= this.maxWaiting || this.queue.sizeOf(group) >= this.maxWaiting / 2;
    if (isFull) return Promise.reject(new PoolBusy());
    return new Promise((resolve, reject) => {
      this.queue.push(group, { task, resolve, reject });
      this.next();
    });
  }

  /** Waiting and running tasks fail. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (let left = this.queue.shift(() => true); left !== undefined; left = this.queue.shift(() => true)) {
      left.item.reject(new PoolBusy('the pool is closed'));
    }
    await Promise.all([...this.threads].map((thread) => thread.end()));
  }

  private next(): void {
    while (this.idle.length > 0 || this.threads.size < this.options.size) {
      const turn = this.queue.shift((group) => (this.running.get(group) ?? 0) < this.share);
      if (turn === undefined) return;
      const thread = this.idle.pop() ?? this.start();
      void this.serve(thread, turn.group, turn.item);
    }
  }

  private start(): PoolThread<Task, Result> {
    const { deadlineMs, memoryMb = 256, file, data } = this.options;
    const thread = new PoolThread<Task, Result>({ file: file(), deadlineMs, memoryMb, data: data?.() });
    this.threads.add(thread);
    return thread;
  }

  private async serve(thread: PoolThread<Task, Result>, group: string, waiting: Waiting<Task, Result>): Promise<void> {
    this.running.set(group, (this.running.get(group) ?? 0) + 1);
    try {
      waiting.resolve(await thread.run(waiting.task));
    } catch (error) {
      waiting.reject(error as Error);
    } finally {
      const left = (this.running.get(group) ?? 1) - 1;
      if (left > 0) this.running.set(group, left);
      else this.running.delete(group);
      if (thread.isDead) this.threads.delete(thread);
      else this.idle.push(thread);
      this.next();
    }
  }
}
