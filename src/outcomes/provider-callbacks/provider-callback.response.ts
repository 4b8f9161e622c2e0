/** Result of a callback. */
export class CallbackReceiptResponse {
  /**
   * Number of valid events.
   * @example 2
   */
  received: number;
  /**
   * Number of those events that belong to messages of the integration.
   * @example 2
   */
  matched: number;
}
