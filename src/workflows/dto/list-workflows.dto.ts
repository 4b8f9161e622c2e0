import { OptionalString, PageQuery } from '#libs/http-kit';

export class ListWorkflowsDto extends PageQuery {
  /**
   * Part of the name or of the trigger identifier; upper and lower case do not matter.
   * @example order
   */
  @OptionalString()
  query?: string;
}
