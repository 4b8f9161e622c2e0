import { IsName } from '#libs/http-kit';

export class CreateNotificationGroupDto {
  /**
   * Name of the group. Several groups may have the same name.
   * @example Billing
   */
  @IsName()
  name: string;
}

export class UpdateNotificationGroupDto extends CreateNotificationGroupDto {}
