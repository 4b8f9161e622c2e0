/** Answer to the deletion of a subscriber. */
export class DeleteSubscriberResponse {
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
