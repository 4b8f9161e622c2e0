/** Runs tasks that no caller waits for. Reports their errors; a shutdown or a test can wait for their end. */
export class Background {
  private readonly tasks = new Set<Promise<void>>();

  /** @param onError receives what a task throws */
  constructor(readonly onError: (error: unknown) => void) {}

  /** Runs the synchronous part of the task before this returns. */
  start(task: () => Promise<void>): void {
    this.add(task().catch((error: unknown) => this.onError(error)));
  }

  /** Makes `settle` wait for this work too. The caller handles its errors. */
  track<T>(work: Promise<T>): Promise<T> {
    const ignore = (): void => undefined;
    this.add(work.then(ignore, ignore));
    return work;
  }

  /** Resolves when no task is running, including tasks that tasks have started. */
  async settle(): Promise<void> {
    while (this.tasks.size > 0) await Promise.all(this.tasks);
  }

  private add(running: Promise<void>): void {
    const task = running.finally(() => this.tasks.delete(task));
    this.tasks.add(task);
  }
}
