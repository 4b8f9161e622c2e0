import { Type } from 'class-transformer';
import {
  IsArray,
  IsEmail,
  IsLocale,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  IsUrl,
  MaxLength,
  ValidateNested,
} from 'class-validator';

const NAME_LENGTH = 255;
const URL_LENGTH = 2_048;

class ChannelDto {
  @IsString()
  providerId: string;

  @IsOptional()
  @IsString()
  integrationIdentifier?: string;

  @IsObject()
  credentials: Record<string, unknown>;
}

export class CreateSubscriberDto {
  @IsString()
  @IsNotEmpty()
  @MaxLength(NAME_LENGTH)
  subscriberId: string;

  @IsOptional()
  @IsString()
  @MaxLength(NAME_LENGTH)
  firstName?: string;

  @IsOptional()
  @IsString()
  @MaxLength(NAME_LENGTH)
  lastName?: string;

  @IsOptional()
  @IsEmail()
  @MaxLength(NAME_LENGTH)
  email?: string;

  @IsOptional()
  @IsString()
  @MaxLength(NAME_LENGTH)
  phone?: string;

  @IsOptional()
  @IsUrl({ protocols: ['http', 'https'], require_protocol: true, require_tld: false })
  @MaxLength(URL_LENGTH)
  avatar?: string;

  @IsOptional()
  @IsLocale()
  locale?: string;

  @IsOptional()
  @IsObject()
  data?: Record<string, unknown>;

  @IsOptional()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => ChannelDto)
  channels?: ChannelDto[];
}
