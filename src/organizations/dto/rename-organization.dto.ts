import { IsName } from '#libs/http-kit';

export class RenameOrganizationDto {
  /** @example Acme */
  @IsName()
  name: string;
}
