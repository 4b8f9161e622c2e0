/** Answer to the deletion of a subscriber. */
export class DeleteSubscriberResponse {
  /** @example true */
  acknowledged: boolean;
  /** @example deleted */
  status: string;
}
