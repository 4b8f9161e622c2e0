import { IsName } from '#libs/http-kit';

export class RenameOrganizationDto {
  /**
   * New display name.
   * @example Acme
   */
  @IsName()
  name: string;
}
