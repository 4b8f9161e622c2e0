import { IsBoolean, IsOptional } from 'class-validator';

/** Switches of the five channels; what is absent stays as it is, at first true. */
export class PreferenceSettingsDto {
  /** @example true */
  @IsOptional()
  @IsBoolean()
  email?: boolean | null;

  /** @example true */
  @IsOptional()
  @IsBoolean()
  sms?: boolean | null;

  /** @example true */
  @IsOptional()
  @IsBoolean()
  in_app?: boolean | null;

  /** @example true */
  @IsOptional()
  @IsBoolean()
  chat?: boolean | null;

  /** @example true */
  @IsOptional()
  @IsBoolean()
  push?: boolean | null;
}
