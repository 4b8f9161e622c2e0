import { IsString, Length } from 'class-validator';

const MAX_VALUE_LENGTH = 8_192;

export class SetSecretDto {
  /**
   * Value of the secret. It cannot be read again.
   * @example sk_live_4eC39HqLyjWDarjtT1zdp7dc
   */
  @IsString()
  @Length(1, MAX_VALUE_LENGTH)
  value: string;
}
