import { IsName } from '#libs/http-kit';

export class CreateFeedDto {
  /**
   * Name of the feed, unique in the environment. Also its identifier.
   * @example Activities
   */
  @IsName()
  name: string;
}
