/** The time of a Herald for tests. */
export class TestClockResponse {
  /** What time it is. */
  now: Date;
  /**
   * How far it is ahead of the machine, in milliseconds.
   * @example 259200000
   */
  offsetMs: number;
}

/** What has become due while the time was moved is done. */
export class MovedTestClockResponse extends TestClockResponse {
  /** Whether the time that was asked for is reached. False: the work took too long; move on with `to`. */
  isDone: boolean;
  /**
   * Number of moments at which something became due.
   * @example 5
   */
  moments: number;
}
