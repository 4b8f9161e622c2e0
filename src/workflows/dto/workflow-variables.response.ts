import { ApiProperty } from '@nestjs/swagger';
import { SYSTEM_VARIABLES_BY_ROOT } from '../system-variables.js';

/** What every template can use besides the payload. */
export class WorkflowVariablesResponse {
  /** Always empty; kept for compatibility. */
  @ApiProperty({ type: 'object', additionalProperties: true, example: {} })
  translations: Record<string, never> = {};

  /** Fields and their types, by the name of the object. */
  @ApiProperty({ type: 'object', additionalProperties: true, example: SYSTEM_VARIABLES_BY_ROOT })
  system: typeof SYSTEM_VARIABLES_BY_ROOT = SYSTEM_VARIABLES_BY_ROOT;
}
