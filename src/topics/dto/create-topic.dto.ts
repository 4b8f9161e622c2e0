import { IsName } from '#libs/http-kit';

export class CreateTopicDto {
  /**
   * Your own identifier of the topic, unique in the environment.
   * @example order-4711-watchers
   */
  @IsName()
  key: string;

  /**
   * Display name.
   * @example "Watchers of order 4711"
   */
  @IsName()
  name: string;
}
