/** A task took longer than it may. Its thread was ended. */
export class TaskTimeout extends Error {
  constructor(readonly deadlineMs: number) {
    super(`it takes longer than ${deadlineMs} ms`);
    this.name = 'TaskTimeout';
  }
}

/** So many tasks wait that no more are taken, or the pool is closed. Nothing was begun. */
export class PoolBusy extends Error {
  constructor(message = 'too many tasks are waiting') {
    super(message);
    this.name = 'PoolBusy';
  }
}

/** The thread ended while it was at the task, for want of memory for instance. */
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
