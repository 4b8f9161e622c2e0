import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

/**
 * `sent`: the provider accepted the message, or it was stored in the feed. `not_sent`: the provider does not have it.
 * `uncertain`: it may have it.
 */
export const ATTEMPT_OUTCOMES = ['sent', 'not_sent', 'uncertain'] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];

/** One attempt to send a message. */
export class JobAttemptResponse {
  /** Time at which the attempt ended. */
  at: Date;
  /**
   * Time since the attempt before, in milliseconds. Absent for the first one.
   * @example 30000
   */
  waitedMs?: number;
  /**
   * Provider that was called.
   * @example sendgrid
   */
  providerId?: string;
  /** Id of the message; GET /v1/messages?transactionId=… shows it as it was sent. */
  _messageId?: string;
  /** What became of the attempt. */
  @ApiProperty({ enum: ATTEMPT_OUTCOMES, example: 'sent' })
  outcome: AttemptOutcome;
  /**
   * 0 in the first run of the step, then the number of the replay.
   * @example 0
   */
  replay: number;
  /**
   * Stable code of the error.
   * @example rate_limited
   */
  code?: string;
  /** Description of the error, with the words of the provider. */
  error?: string;
  @ApiPropertyOptional({
    description: 'What the provider answered, as a JSON text. Secrets are masked.',
    example: '{"status":429,"body":"slow down"}',
  })
  answer?: string;
}

/** One condition of a step that was skipped. */
export class JobConditionResponse {
  /**
   * What the condition is about.
   * @example Payload
   */
  filter: string;
  /**
   * Field that was compared.
   * @example order.total
   */
  field: string;
  /**
   * How the two values were compared.
   * @example LARGER
   */
  operator: string;
  /**
   * Value of the condition.
   * @example 100
   */
  expected: string;
  /**
   * Value of the field.
   * @example 20
   */
  actual: string;
  /** Whether the condition was met. */
  passed: boolean;
}

/** The setting by which a step was skipped. */
export class JobPreferenceResponse {
  /**
   * Whose setting it is.
   * @example subscriberWorkflow
   */
  source: string;
  @ApiPropertyOptional({ description: 'The settings that were compared, as a JSON text.', example: '{"email":false}' })
  settings?: string;
}

/** One report of a provider about a message, after it was sent. */
export class JobCallbackResponse {
  /** Time of the report. */
  at: Date;
  /**
   * Status that the provider reported.
   * @example delivered
   */
  status: string;
  /**
   * Provider of the message.
   * @example sendgrid
   */
  providerId?: string;
  /** Id of the message. */
  _messageId?: string;
  /** Words of the provider. */
  text: string;
  @ApiPropertyOptional({ description: 'The report as a JSON text.', example: '{"status":"delivered"}' })
  raw?: string;
}

/** What happened in a step, read from its execution details. */
export class JobHistoryResponse {
  /** Attempts to send, oldest first. */
  @ApiProperty({ type: [JobAttemptResponse] })
  attempts: JobAttemptResponse[];
  /** Conditions because of which the step was skipped, in the order of evaluation. */
  @ApiProperty({ type: [JobConditionResponse] })
  conditions: JobConditionResponse[];
  /** Setting because of which the step was skipped. */
  @ApiPropertyOptional({ type: () => JobPreferenceResponse })
  preference?: JobPreferenceResponse;
  /** Reports of providers, oldest first. */
  @ApiProperty({ type: [JobCallbackResponse] })
  callbacks: JobCallbackResponse[];
  /** Ids of the messages of the step. */
  messageIds: string[];
}
