/** How many messages there are, at most the limit of the request. */
export class MessageCountResponse {
  /** @example 3 */
  count: number;
}

/** Answer to the deletion of a message. */
export class DeletedMessageResponse {
  /** @example true */
  acknowledged: boolean;
  /** @example deleted */
  status: string;
}
