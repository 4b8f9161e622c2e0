import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

/** One fault of a trigger. */
export interface FieldFault {
  /** Path of the field; `general` if the text is about none. */
  readonly field: string;
  readonly message: string;
}

/** The body of every error response. */
export class ErrorBody {
  /** HTTP status. @example 404 */
  statusCode: number;
  /** When the error happened. @example 2026-01-01T12:00:00.000Z */
  timestamp: string;
  /** Path of the request. @example /v1/subscribers/unknown */
  path: string;
  /**
   * What is wrong and how to fix it: with `validation_failed` and `steps_not_runnable` a list with one text per fault,
   * otherwise one text.
   */
  @ApiProperty({ oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] })
  message: string | string[];
  /** Name of the status. @example 'Not Found' */
  error: string;
  /** Stable error code for use in programs. @example subscriber_not_found */
  code: string;
  /**
   * What to do next. Only where `message` has the wording of a compatible system, which says less.
   * @example "This environment has no workflow with the trigger identifier 'order-shiped'. Did you mean 'order-shipped'?"
   */
  hint?: string;
  /**
   * Only with status 400 of triggers: the kind of error that clients of a compatible system expect.
   * @example PAYLOAD_VALIDATION_ERROR
   */
  type?: string;
  /**
   * The texts of `message` as clients of a compatible system read them: with status 400 of triggers a list, and with status 422 by field, where
   * `general` stands for the whole request.
   */
  @ApiPropertyOptional({
    oneOf: [
      {
        type: 'array',
        items: {
          type: 'object',
          required: ['field', 'message'],
          properties: { field: { type: 'string', example: 'to.0.email' }, message: { type: 'string' } },
        },
      },
      {
        type: 'object',
        additionalProperties: {
          type: 'object',
          required: ['messages'],
          properties: { messages: { type: 'array', items: { type: 'string' } } },
        },
      },
    ],
  })
  errors?: readonly FieldFault[] | Readonly<Record<string, { readonly messages: readonly string[] }>>;
  /** Only with status 500: the id under which the log has the cause. */
  errorId?: string;
}
