import { PartialType } from '@nestjs/swagger';
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

/** What is absent stays; `description` is removed by null. */
export class Update__Name__Dto extends PartialType(Create__Name__Dto) {}
