import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { VARIABLE_TYPES, type VariableType } from '#libs/templates';

/** A variable that a template or a layout declares. */
export class TemplateVariableDto {
  /**
   * Dotted path in the payload.
   * @example order.number
   */
  name: string;

  /** Type of the value. */
  @ApiProperty({ enum: VARIABLE_TYPES, example: 'String' })
  type: VariableType;

  /** Whether a trigger without it is refused. */
  required?: boolean;

  /** Value where the payload has none. */
  @ApiPropertyOptional({
    oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'array', items: {} }],
  })
  defaultValue?: unknown;
}
