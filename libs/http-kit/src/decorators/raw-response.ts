import { CustomDecorator, SetMetadata } from '@nestjs/common';

export const RAW_RESPONSE = Symbol('raw response');

/** The result is sent as it is, without the envelope. */
export const RawResponse = (): CustomDecorator<symbol> => SetMetadata(RAW_RESPONSE, true);
