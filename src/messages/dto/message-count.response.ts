/** How many messages there are, at most the limit of the request. */
export class MessageCountResponse {
  /**
   * Number of messages.
   * @example 3
   */
  count: number;
}

/** Answer to the deletion of a message. */
export class DeletedMessageResponse {
  /**
   * Always true.
   * @example true
   */
  acknowledged: boolean;
  /**
   * Always `deleted`.
   * @example deleted
   */
  status: string;
}
