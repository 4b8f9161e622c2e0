import { IsName } from '#libs/http-kit';

export class CreateFeedDto {
  /**
   * Name of the feed, unique in the environment. It is the identifier as well.
   * @example Activities
   */
  @IsName()
  name: string;
}
