import { ApiProperty } from '@nestjs/swagger';
import { SYSTEM_VARIABLES_BY_ROOT } from '../system-variables.js';

/** What every template can use besides the payload. */
export class WorkflowVariablesResponse {
  /** Texts in other languages; there are none. */
  @ApiProperty({ type: 'object', additionalProperties: true, example: {} })
  translations: Record<string, never> = {};

  /** By root name, the fields and their types. */
  @ApiProperty({ type: 'object', additionalProperties: true, example: SYSTEM_VARIABLES_BY_ROOT })
  system: typeof SYSTEM_VARIABLES_BY_ROOT = SYSTEM_VARIABLES_BY_ROOT;
}
