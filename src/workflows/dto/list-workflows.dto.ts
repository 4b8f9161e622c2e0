import { OptionalString, PageQuery } from '#libs/http-kit';

export class ListWorkflowsDto extends PageQuery {
  /**
   * Only workflows with this in the name or the trigger identifier; case-insensitive.
   * @example order
   */
  @OptionalString()
  query?: string;
}
