/** The thread was terminated. */
export class TaskTimeout extends Error {
  constructor(readonly deadlineMs: number) {
    super(`it takes longer than ${deadlineMs} ms`);
    this.name = 'TaskTimeout';
  }
}

/** The queue is full or the pool is closed; the task was not started. */
export class PoolBusy extends Error {
  constructor(message = 'too many tasks are waiting') {
    super(message);
    this.name = 'PoolBusy';
  }
}

/** The thread ended during the task, for example out of memory. */
export class WorkerLost extends Error {
  constructor(options?: ErrorOptions) {
    super('its thread ended', options);
    this.name = 'WorkerLost';
  }
}

export class TaskFailed extends Error {
  /** @param errorName `name` of the thrown value */
  constructor(
    readonly errorName: string,
    message: string,
  ) {
    super(message);
    this.name = 'TaskFailed';
  }
}
