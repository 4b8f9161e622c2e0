import { ApiProperty, ApiPropertyOptional, PickType } from '@nestjs/swagger';
import { RecordResponse, shower, shown } from '#libs/http-kit';
import { optionsOf } from './question-rules.js';
import {
  type AgentRequest,
  ANSWER_WAYS,
  type AnswerValue,
  type AnswerWay,
  type AskedWave,
  DECIDERS,
  type Question,
  type QuestionAnswer,
  QUESTION_KINDS,
  QUESTION_STATUSES,
  type QuestionKind,
  type QuestionOutcome,
  type QuestionStatus,
  REQUESTED,
} from './question.schema.js';

const value = { oneOf: [{ type: 'string' }, { type: 'number' }], example: 'approve' };

export class QuestionOptionResponse {
  /** What the answer is. @example approve */
  id: string;
  /** What people see. @example Approve */
  label: string;
}

/** Somebody who is asked. */
export class QuestionPersonResponse {
  /** Your identifier of the subscriber. @example ada */
  subscriberId: string;
  /** The wave in which it is, from 0. */
  @ApiProperty({ type: 'integer' })
  wave: number;
}

export class QuestionAnswerResponse {
  /** Your identifier of the subscriber; absent once the subscriber is deleted. @example ada */
  subscriberId?: string;
  /** The answer. */
  @ApiProperty(value)
  value: AnswerValue;
  /** `api`: a call of your server; `inbox`: a button or the session of the subscriber; `link`: the page of a link. */
  @ApiProperty({ enum: ANSWER_WAYS, example: 'inbox' })
  via: AnswerWay;
  /** When it was given. */
  at: Date;
  /** HMAC-SHA256 of the answer with the key of the store. */
  signature: string;
  /** Whether the signature is that of this answer. */
  @ApiProperty({ example: true })
  isAuthentic: boolean;
}

export class QuestionDeciderResponse {
  /** `default`: nobody has decided in time; `api_key` has canceled it; `user`, a person of the console, has canceled it or decided about the request of an agent. */
  @ApiProperty({ enum: DECIDERS, example: 'subscriber' })
  type: (typeof DECIDERS)[number];
  /** Your identifier of the subscriber. @example ada */
  subscriberId?: string;
  /** Name of the person of the console, as it was then. @example Ada Lovelace */
  name?: string;
}

/** How a question has ended. Written once. */
export class QuestionOutcomeResponse {
  /** When it was decided. */
  at: Date;
  /** The answer; absent if there is none. */
  @ApiPropertyOptional(value)
  value?: AnswerValue;
  by?: QuestionDeciderResponse;
}

/** A wave of messages, or the reminder. */
export class AskedWaveResponse {
  /** When it was sent. */
  at: Date;
  /** The event that carries the messages, for GET /v1/events/trigger/{transactionId}. */
  transactionId?: string;
  /** The status of the trigger, or `nobody` if there was nobody to ask. @example processed */
  status: string;
  /** Why nothing was sent. */
  error?: string;
}

/** When what an agent wanted was carried out. */
export class AgentRequestDoneResponse {
  /** When it was done, or refused. */
  at: Date;
  /** Why it was refused then. */
  error?: string;
}

/** What an agent wants to do, which happens once a person has said yes. */
export class AgentRequestResponse {
  /** The operation, as this document names it. */
  @ApiProperty({ enum: REQUESTED, example: 'triggerEvent' })
  operation: AgentRequest['operation'];
  /** Name of the API key of the agent. @example Claude */
  agent: string;
  /** Id of the API key of the agent. @example 64f0c1a2b3c4d5e6f7a8b9c0 */
  apiKeyId: string;
  /** Number of recipients. */
  @ApiProperty({ type: 'integer', example: 25 })
  count: number;
  /** Trigger identifier of the workflow; absent for a question. @example order-shipped */
  workflow?: string;
  /** The transaction id of the event, or the id of the question, when it is carried out. */
  result: string;
  /** What is sent, without the recipients. Absent once it is decided. */
  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  body?: Record<string, unknown>;
  /** Your identifiers of the recipients. Absent once it is decided. @example ["ada", "grace"] */
  recipients?: string[];
  /** Absent until it is carried out. */
  done?: AgentRequestDoneResponse;
}

/** A question to people. */
export class QuestionResponse extends RecordResponse {
  /** The question. @example "Deploy version 4.2?" */
  title: string;
  /** What people need to know. */
  body?: string;
  /** What is asked. */
  @ApiProperty({ enum: QUESTION_KINDS })
  kind: QuestionKind;
  /** The answers to choose from; empty for a text or a number. */
  options: QuestionOptionResponse[];
  /** JSON Schema that the answer must fit. */
  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  schema?: Record<string, unknown>;
  /** `open` until it has its outcome; `undecided`: everybody has answered, and no answer has enough votes. */
  @ApiProperty({ enum: QUESTION_STATUSES })
  status: QuestionStatus;
  /** Absent while the question is open. */
  outcome?: QuestionOutcomeResponse;
  /** The answers that were given, oldest first. */
  answers: QuestionAnswerResponse[];
  /** Who is asked. */
  people: QuestionPersonResponse[];
  /** How many have to give the same answer. */
  @ApiProperty({ oneOf: [{ type: 'string', enum: ['all'] }, { type: 'integer' }], example: 1 })
  quorum: number | 'all';
  /** One refusal decides. */
  veto: boolean;
  /** The answer if nobody has decided in time. */
  @ApiPropertyOptional(value)
  default?: AnswerValue;
  /** When it ends. */
  expiresAt: Date;
  /** When those who have not answered are asked once more. */
  remindAt?: Date;
  /** When each wave is asked. */
  waves: Date[];
  /** The waves that were asked. */
  asked: AskedWaveResponse[];
  reminded?: AskedWaveResponse;
  /** Trigger identifier of the workflow that carries the messages. @example question */
  workflow: string;
  /** Identifier of the tenant to which the messages belong. @example acme */
  tenant?: string;
  /** What an agent wants to do if the answer is yes. */
  request?: AgentRequestResponse;
}

/** @param isAuthentic of an answer */
export const showQuestion = shower(
  QuestionResponse,
  (row: Question, isAuthentic: (answer: QuestionAnswer) => boolean) => {
    const { body, valueSchema: schema, outcome, default: fallback, remindAt, reminded } = row;
    return {
      title: row.title,
      body,
      kind: row.kind,
      options: optionsOf(row).map(({ id, label }) => shown(QuestionOptionResponse, { id, label })),
      schema,
      status: row.status,
      outcome: outcome && showOutcome(outcome),
      answers: row.answers.map((answer) => showAnswer(answer, isAuthentic(answer))),
      people: row.people.map(({ subscriberId, wave }) => shown(QuestionPersonResponse, { subscriberId, wave })),
      quorum: row.quorum,
      veto: row.veto,
      default: fallback,
      expiresAt: row.expiresAt,
      remindAt,
      waves: row.waves,
      asked: row.asked.map(showAsked),
      reminded: reminded && showAsked(reminded),
      workflow: row.workflow,
      tenant: row.tenant,
      request: row.request && showRequest(row.request, row.by.apiKeyId),
    };
  },
);

function showRequest({ done, body, recipients, ...request }: AgentRequest, apiKeyId: string): AgentRequestResponse {
  return shown(AgentRequestResponse, {
    ...request,
    apiKeyId,
    ...(body && { body: { ...body } }),
    ...(recipients && { recipients: recipients.map(({ subscriberId }) => subscriberId) }),
    ...(done && { done: shown(AgentRequestDoneResponse, { ...done }) }),
  });
}

/** A question that has its outcome, without the answers of those who did not decide. */
export class SettledQuestionResponse extends PickType(QuestionResponse, [
  '_id',
  'title',
  'kind',
  'status',
  'outcome',
  'expiresAt',
  'workflow',
] as const) {}

export function showSettled(row: Question): SettledQuestionResponse {
  const { _id, title, kind, status, outcome, expiresAt, workflow } = row;
  return shown(SettledQuestionResponse, {
    _id: _id.toHexString(),
    title,
    kind,
    status,
    outcome: outcome && showOutcome(outcome),
    expiresAt,
    workflow,
  });
}

/** What the subscriber who has answered sees of the question. */
export class OwnAnswerResponse extends PickType(QuestionResponse, ['_id', 'status', 'outcome'] as const) {}

export function showOwnAnswer({ _id, status, outcome }: Question): OwnAnswerResponse {
  const decided = outcome !== undefined && { outcome: showOutcome(outcome) };
  return shown(OwnAnswerResponse, { _id: _id.toHexString(), status, ...decided });
}

function showAnswer(answer: QuestionAnswer, isAuthentic: boolean): QuestionAnswerResponse {
  const { subscriberId, value: given, via, at, signature } = answer;
  const named = subscriberId !== undefined && { subscriberId };
  return shown(QuestionAnswerResponse, { ...named, value: given, via, at, signature, isAuthentic });
}

function showOutcome({ at, value: decided, by }: QuestionOutcome): QuestionOutcomeResponse {
  const decider = by && {
    by: shown(QuestionDeciderResponse, {
      type: by.type,
      subscriberId: by.subscriberId,
      name: by.name,
    }),
  };
  return shown(QuestionOutcomeResponse, { at, value: decided, ...decider });
}

function showAsked({ at, transactionId, status, error }: AskedWave): AskedWaveResponse {
  return shown(AskedWaveResponse, {
    at,
    status,
    transactionId,
    error,
  });
}
