import { OptionalString, PageQuery } from '#libs/http-kit';

/** Which subscribers to list. Several filters together narrow the result. */
export class ListSubscribersQuery extends PageQuery {
  /**
   * The whole email address, in any case.
   * @example ann@example.com
   */
  @OptionalString()
  email?: string;

  /**
   * The beginning of the first or the last name, in any case.
   * @example an
   */
  @OptionalString()
  name?: string;

  /**
   * The whole phone number as it was stored.
   * @example +15551230100
   */
  @OptionalString()
  phone?: string;

  /**
   * The beginning of your own identifier.
   * @example user-
   */
  @OptionalString()
  subscriberId?: string;
}
