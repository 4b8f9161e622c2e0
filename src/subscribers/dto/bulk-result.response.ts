/** A subscriber of a bulk call. */
export class BulkSubscriber {
  /** @example user-1 */
  subscriberId: string;
}

/** A subscriber of a bulk call that was refused. */
export class BulkFailure {
  /** Why, and what to do about it. */
  message: string;
  /** @example user-1 */
  subscriberId: string;
}

/** What became of each subscriber of a bulk call, in the order sent. */
export class BulkResultResponse {
  updated: BulkSubscriber[];
  created: BulkSubscriber[];
  failed: BulkFailure[];
}
