import { IsName } from '#libs/http-kit';

export class CreateTopicDto {
  /**
   * Your own identifier of the topic, unique in the environment.
   * @example order-1042-watchers
   */
  @IsName()
  key: string;

  /**
   * Name for people.
   * @example "Watchers of order 1042"
   */
  @IsName()
  name: string;
}
