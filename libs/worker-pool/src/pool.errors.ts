/** A task exceeded its deadline. Its thread was terminated. */
export class TaskTimeout extends Error {
  constructor(readonly deadlineMs: number) {
    super(`it takes longer than ${deadlineMs} ms`);
    this.name = 'TaskTimeout';
  }
}

/** The queue is full or the pool is closed. The task was not started. */
export class PoolBusy extends Error {
  constructor(message = 'too many tasks are waiting') {
    super(message);
    this.name = 'PoolBusy';
  }
}

/** The thread ended while it ran the task, for example because it ran out of memory. */
export class WorkerLost extends Error {
  constructor(options?: ErrorOptions) {
    super('its thread ended', options);
    this.name = 'WorkerLost';
  }
}

/** The task threw. */
export class TaskFailed extends Error {
  /** @param errorName `name` of what was thrown */
  constructor(
    readonly errorName: string,
    message: string,
  ) {
    super(message);
    this.name = 'TaskFailed';
  }
}
