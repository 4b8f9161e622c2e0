import { IsName, OptionalString } from '#libs/http-kit';

export class Create__Name__Dto {
  /**
   * Name of the __text__, unique in the environment.
   * @example First
   */
  @IsName()
  name: string;

  /**
   * What it is for.
   * @example "To begin with"
   */
  @OptionalString(1_000)
  description?: string | null;
}
