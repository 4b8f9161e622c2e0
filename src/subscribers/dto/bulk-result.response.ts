/** A subscriber of a bulk call. */
export class BulkSubscriber {
  /**
   * Your own identifier of the subscriber.
   * @example ada
   */
  subscriberId: string;
}

/** A subscriber of a bulk call that was refused. */
export class BulkFailure {
  /** Why the subscriber was refused, and what to do about it. */
  message: string;
  /**
   * Your own identifier of the subscriber.
   * @example ada
   */
  subscriberId: string;
}

/** What became of each subscriber of a bulk call, in the order sent. */
export class BulkResultResponse {
  /** Subscribers that existed and were updated. */
  updated: BulkSubscriber[];
  /** Subscribers that were created. */
  created: BulkSubscriber[];
  /** Subscribers that were refused, and why. */
  failed: BulkFailure[];
}
