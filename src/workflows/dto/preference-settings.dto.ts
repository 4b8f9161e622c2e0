import { IsBoolean, IsOptional } from 'class-validator';

/** Switches of the five channels; what is absent stays as it is, at first true. */
export class PreferenceSettingsDto {
  /**
   * Whether email is used.
   * @example true
   */
  @IsOptional()
  @IsBoolean()
  email?: boolean | null;

  /**
   * Whether SMS is used.
   * @example true
   */
  @IsOptional()
  @IsBoolean()
  sms?: boolean | null;

  /**
   * Whether in-app messages are used.
   * @example true
   */
  @IsOptional()
  @IsBoolean()
  in_app?: boolean | null;

  /**
   * Whether chat is used.
   * @example true
   */
  @IsOptional()
  @IsBoolean()
  chat?: boolean | null;

  /**
   * Whether push is used.
   * @example true
   */
  @IsOptional()
  @IsBoolean()
  push?: boolean | null;
}

/** The switches of the five channels. */
export class ChannelSwitchesResponse {
  /** Whether email is used. @example true */
  email: boolean;
  /** Whether SMS is used. @example true */
  sms: boolean;
  /** Whether in-app messages are used. @example true */
  in_app: boolean;
  /** Whether chat is used. @example true */
  chat: boolean;
  /** Whether push is used. @example true */
  push: boolean;
}
