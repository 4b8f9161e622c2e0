/** What was taken of a callback. */
export class CallbackReceiptResponse {
  /**
   * Number of events that were understood.
   * @example 2
   */
  received: number;
  /**
   * Number of those that belong to messages of the integration.
   * @example 2
   */
  matched: number;
}
