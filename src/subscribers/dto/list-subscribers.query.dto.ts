import { OptionalString, PageQuery } from '#libs/http-kit';

/** Which subscribers to list. Several filters together narrow the result. */
export class ListSubscribersQuery extends PageQuery {
  /**
   * Only the subscriber with this email address; case-insensitive.
   * @example ada@example.com
   */
  @OptionalString()
  email?: string;

  /**
   * Only subscribers whose first or last name begins with this; case-insensitive. Pages reach the first
   * 10,000 of them.
   * @example ad
   */
  @OptionalString()
  name?: string;

  /**
   * Only subscribers with exactly this phone number.
   * @example +15551230100
   */
  @OptionalString()
  phone?: string;

  /**
   * Only subscribers whose identifier begins with this.
   * @example ad
   */
  @OptionalString()
  subscriberId?: string;
}
