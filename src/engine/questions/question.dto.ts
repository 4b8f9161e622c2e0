import { ApiPropertyOptional, ApiProperty } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  Max,
  MaxLength,
  Min,
  IsString,
  IsNotEmpty,
} from 'class-validator';
import {
  AsNumber,
  IsFreeForm,
  IsListOf,
  IsName,
  IsValidBy,
  NAME_LENGTH,
  OptionalMoment,
  OptionalString,
  PageQuery,
} from '#libs/http-kit';
import {
  type AnswerValue,
  QUESTION_KINDS,
  QUESTION_STATUSES,
  type QuestionKind,
  type QuestionStatus,
} from './question.schema.js';

const MAX_LISTED = 1_000;
const MAX_WAVES = 10;
const MAX_OPTIONS = 20;
const MAX_BODY = 5_000;
/** Characters of an answer. */
export const MAX_VALUE = 5_000;
const YEAR_SECONDS = 366 * 86_400;
const MAX_WAIT_SECONDS = 60;

const ids = { type: [String] as [StringConstructor], nullable: true, maxItems: MAX_LISTED };
const value = { oneOf: [{ type: 'string', maxLength: MAX_VALUE }, { type: 'number' }] };

export class QuestionOptionDto {
  /**
   * What the answer is.
   * @example blue
   */
  @IsName()
  id: string;

  /**
   * What people see.
   * @example "The blue one"
   */
  @IsName()
  label: string;
}

/** Who is asked: subscribers by their ids, and the members of topics. */
abstract class AskedPeopleDto {
  /** Ids of the subscribers. They have to exist. */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_LISTED)
  @IsValidBy('areIds', faultsOfIds)
  @ApiPropertyOptional({ ...ids, example: ['ada'] })
  subscribers?: string[] | null;

  /** Keys of topics, whose members are asked. */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_LISTED)
  @IsValidBy('areIds', faultsOfIds)
  @ApiPropertyOptional({ ...ids, example: [] })
  topics?: string[] | null;
}

export class QuestionWaveDto extends AskedPeopleDto {
  /** Seconds after the question was asked. Default: 0. Each wave comes later than the one before. */
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(YEAR_SECONDS)
  @ApiPropertyOptional({ type: 'integer', nullable: true, example: 600 })
  after?: number | null;
}

export class CreateQuestionDto extends AskedPeopleDto {
  /**
   * The question, in a sentence.
   * @example "Deploy version 4.2?"
   */
  @IsName()
  title: string;

  /**
   * What people need to know to answer.
   * @example "All tests have passed."
   */
  @OptionalString(MAX_BODY)
  body?: string | null;

  /** `approve` asks to approve or refuse, `choose` to take one of `options`, `text` and `number` for a value. Default: `approve`. */
  @IsOptional()
  @IsIn(QUESTION_KINDS)
  @ApiPropertyOptional({ enum: QUESTION_KINDS, nullable: true, default: 'approve' })
  kind?: QuestionKind | null;

  /** The answers to choose from: 2 to 20, only with `choose`. */
  @IsOptional()
  @IsListOf(() => QuestionOptionDto, MAX_OPTIONS)
  options?: QuestionOptionDto[] | null;

  /** JSON Schema that the answer must fit; only with `text` and `number`. */
  @IsOptional()
  @IsObject()
  @IsFreeForm()
  @ApiPropertyOptional({ type: 'object', additionalProperties: true, nullable: true })
  schema?: Record<string, unknown> | null;

  /** Who is asked later, if those of `subscribers` and `topics` have not decided: an escalation. Together, at most 1,000 people are asked. */
  @IsOptional()
  @IsListOf(() => QuestionWaveDto, MAX_WAVES)
  waves?: QuestionWaveDto[] | null;

  /**
   * How many have to give the same answer. `one`: the first answer decides; `all`: everybody who is asked. With `approve`, the question is
   * refused as soon as too few can approve. Default: `one`.
   */
  @IsOptional()
  @IsValidBy('isQuorum', faultsOfQuorum)
  @ApiPropertyOptional({
    oneOf: [
      { type: 'string', enum: ['one', 'all'] },
      { type: 'integer', minimum: 1 },
    ],
    nullable: true,
    default: 'one',
    example: 'one',
  })
  quorum?: number | 'one' | 'all' | null;

  /** One refusal decides, whatever the quorum; only with `approve`. Default: false. */
  @IsOptional()
  @IsBoolean()
  @ApiPropertyOptional({ type: Boolean, nullable: true, default: false })
  veto?: boolean | null;

  /** The answer if nobody has decided in time. */
  @IsOptional()
  @IsValidBy('isAnswer', faultsOfAnswer)
  @ApiPropertyOptional({ ...value, nullable: true, example: 'refuse' })
  default?: AnswerValue | null;

  /** When the question ends; in place of `expiresIn`. */
  @OptionalMoment()
  expiresAt?: string | null;

  /** Seconds until the question ends: up to a year. Default: 604800, a week. */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(YEAR_SECONDS)
  @ApiPropertyOptional({ type: 'integer', nullable: true, default: 604_800, example: 86_400 })
  expiresIn?: number | null;

  /** Seconds until those who have not answered are asked once more. Default: never. */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(YEAR_SECONDS)
  @ApiPropertyOptional({ type: 'integer', nullable: true, example: 3_600 })
  remindAfter?: number | null;

  /**
   * Trigger identifier of the workflow that carries the messages. Its templates have `question` and, in messages, `answerUrl`. Default: the
   * workflow `question`, which Herald creates where it is missing.
   */
  @OptionalString()
  @ApiPropertyOptional({ type: String, nullable: true, maxLength: NAME_LENGTH, example: null })
  workflow?: string | null;

  /** Identifier of the tenant to which the messages belong. It has to exist. Default: none. */
  @OptionalString()
  @ApiPropertyOptional({ type: String, nullable: true, maxLength: NAME_LENGTH, example: null })
  tenant?: string | null;

  /** Further values that the templates use. */
  @IsOptional()
  @IsFreeForm()
  @ApiPropertyOptional({ type: 'object', additionalProperties: true, nullable: true, example: {} })
  payload?: Record<string, unknown> | null;
}

export const DECISIONS = ['approve', 'refuse'] as const;
export type Decision = (typeof DECISIONS)[number];

export class DecideQuestionDto {
  /** The decision about the request of the agent. */
  @IsIn(DECISIONS)
  @ApiProperty({ enum: DECISIONS, example: 'approve' })
  value: Decision;
}

export class OwnAnswerDto {
  /** `approve` or `refuse`, the `id` of an option, a text or a number. */
  @IsValidBy('isAnswer', faultsOfAnswer)
  @ApiProperty({ ...value, example: 'approve' })
  value: AnswerValue;
}

export class AnswerQuestionDto extends OwnAnswerDto {
  /**
   * Id of the subscriber who answers.
   * @example ada
   */
  @IsString()
  @IsNotEmpty()
  @MaxLength(NAME_LENGTH)
  subscriberId: string;
}

export class GetQuestionQuery {
  /** Seconds to wait for the outcome: up to 60. Answers with the question as it is then. */
  @IsOptional()
  @AsNumber()
  @IsInt()
  @Min(0)
  @Max(MAX_WAIT_SECONDS)
  @ApiPropertyOptional({ type: 'integer', example: 0 })
  wait?: number;
}

export class ListQuestionsQuery extends PageQuery {
  /** Only questions of this status. */
  @IsOptional()
  @IsIn(QUESTION_STATUSES)
  @ApiPropertyOptional({ enum: QUESTION_STATUSES })
  status?: QuestionStatus;

  /** Only questions that this subscriber is asked. */
  @OptionalString()
  subscriberId?: string;
}

function faultsOfIds(given: unknown, property: string): string[] {
  if (!Array.isArray(given)) return [];
  return (given as unknown[]).flatMap((id, place) =>
    typeof id === 'string' && id.trim() !== '' && id.length <= NAME_LENGTH
      ? []
      : [`${property}.${place} must be a text of 1 to ${NAME_LENGTH} characters`],
  );
}

function faultsOfQuorum(quorum: unknown, property: string): string[] {
  const isNumber = typeof quorum === 'number' && Number.isInteger(quorum) && quorum >= 1 && quorum <= MAX_LISTED;
  return quorum === 'one' || quorum === 'all' || isNumber
    ? []
    : [`${property} must be one, all or a whole number of people`];
}

function faultsOfAnswer(answer: unknown, property: string): string[] {
  const isText = typeof answer === 'string' && answer.trim() !== '' && answer.length <= MAX_VALUE;
  return isText || (typeof answer === 'number' && Number.isFinite(answer))
    ? []
    : [`${property} must be a number, or a text of 1 to ${MAX_VALUE} characters`];
}
