import { Prop, Schema } from '@nestjs/mongoose';
import { Schema as MongooseSchema, Types } from 'mongoose';
import type { KeyScope } from '#libs/common';
import { defineSchema, shardBy, TenantRecord } from '#libs/persistence';

export const QUESTION_KINDS = ['approve', 'choose', 'text', 'number'] as const;
export type QuestionKind = (typeof QUESTION_KINDS)[number];

/** `undecided`: everybody has answered, and no answer has enough votes. */
export const QUESTION_STATUSES = ['open', 'answered', 'undecided', 'expired', 'canceled'] as const;
export type QuestionStatus = (typeof QUESTION_STATUSES)[number];

/** `inbox`: a button or the session of the subscriber; `link`: the page of a link in a message; `chat`: a button in a chat. */
export const ANSWER_WAYS = ['api', 'inbox', 'link', 'chat'] as const;
export type AnswerWay = (typeof ANSWER_WAYS)[number];

export const DECIDERS = ['subscriber', 'default', 'api_key', 'user'] as const;

export type AnswerValue = string | number;

const { Mixed } = MongooseSchema.Types;

export interface QuestionOption {
  readonly id: string;
  readonly label: string;
}

/** Who is asked, as a member of a wave. */
export interface QuestionPerson {
  readonly _id: Types.ObjectId;
  readonly subscriberId: string;
  readonly wave: number;
}

export interface QuestionAnswer {
  /** Record of the subscriber. */
  readonly _subscriberId: Types.ObjectId;
  /** Absent once the subscriber is deleted. */
  readonly subscriberId?: string;
  readonly value: AnswerValue;
  readonly via: AnswerWay;
  /** Of the key or the person who answered for the subscriber; absent: the subscriber did. */
  readonly apiKeyId?: string;
  /** Who has pressed the button in a chat, as the provider calls them; absent once the subscriber is deleted. */
  readonly account?: string;
  readonly at: Date;
  /** HMAC of all of it, with the id of the key. */
  readonly signature: string;
}

export interface QuestionOutcome {
  readonly at: Date;
  readonly value?: AnswerValue;
  readonly by?: {
    readonly type: (typeof DECIDERS)[number];
    /** Record of the subscriber, of the key or of the person of the console. */
    readonly id?: string;
    readonly subscriberId?: string;
    /** Of the person of the console, as it was then. */
    readonly name?: string;
  };
}

/** A wave or a reminder that was sent. */
export interface AskedWave {
  readonly at: Date;
  /** Of the event that carries the messages; absent: there was nobody to ask. */
  readonly transactionId?: string;
  /** The status of the trigger, or `nobody`. */
  readonly status: string;
  readonly error?: string;
}

/** Whose rights its messages have. */
export interface QuestionOwner {
  readonly apiKeyId: string;
  readonly userId: string;
  readonly scopes: readonly KeyScope[];
}

export const REQUESTED = ['triggerEvent', 'createQuestion'] as const;

/** What an agent wants to do, which happens once a person has said yes. */
export interface AgentRequest {
  /** By which the API names it. */
  readonly operation: (typeof REQUESTED)[number];
  /** Of the key. */
  readonly agent: string;
  readonly count: number;
  /** Of the workflow; absent for a question. */
  readonly workflow?: string;
  /** What it gets when it is carried out: the transaction id of the event, or the id of the question. */
  readonly result: string;
  /** Until it is decided, without the recipients. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** Until it is decided. */
  readonly recipients?: readonly Pick<QuestionPerson, '_id' | 'subscriberId'>[];
  /** Once it was carried out after a yes. */
  readonly done?: { readonly at: Date; readonly error?: string };
}

@Schema({ collection: 'questions', timestamps: true, minimize: false })
export class Question extends TenantRecord {
  @Prop({ type: String, required: true })
  title: string;

  @Prop({ type: String })
  body?: string;

  @Prop({ type: String, enum: QUESTION_KINDS, required: true })
  kind: QuestionKind;

  @Prop({ type: [Mixed], required: true })
  options: QuestionOption[];

  /** JSON Schema of a text or a number. */
  @Prop({ type: Mixed })
  valueSchema?: Record<string, unknown>;

  /** How many have to give the same answer; `all`: everybody who is asked. */
  @Prop({ type: Mixed, required: true })
  quorum: number | 'all';

  /** One refusal decides. */
  @Prop({ type: Boolean, required: true })
  veto: boolean;

  @Prop({ type: [Mixed], required: true })
  people: QuestionPerson[];

  /** When each wave is asked. */
  @Prop({ type: [Date], required: true })
  waves: Date[];

  @Prop({ type: Date, required: true })
  expiresAt: Date;

  /** The answer when nobody has decided in time. */
  @Prop({ type: Mixed })
  default?: AnswerValue;

  @Prop({ type: Date })
  remindAt?: Date;

  /** Trigger identifier of the workflow that carries the messages. */
  @Prop({ type: String, required: true })
  workflow: string;

  /** Identifier of the tenant to which its messages belong. */
  @Prop({ type: String })
  tenant?: string;

  @Prop({ type: Mixed, required: true })
  payload: Record<string, unknown>;

  @Prop({ type: Mixed, required: true })
  by: QuestionOwner;

  /** Absent where people are asked for themselves. */
  @Prop({ type: Mixed })
  request?: AgentRequest;

  /** How many workflows have started each other before it. */
  @Prop({ type: Number, required: true })
  depth: number;

  @Prop({ type: String, enum: QUESTION_STATUSES, required: true })
  status: QuestionStatus;

  /** Written once, with the status. */
  @Prop({ type: Mixed })
  outcome?: QuestionOutcome;

  @Prop({ type: [Mixed], required: true })
  answers: QuestionAnswer[];

  /** One for each wave that was asked. */
  @Prop({ type: [Mixed], required: true })
  asked: AskedWave[];

  @Prop({ type: Mixed })
  reminded?: AskedWave;

  /** How many of the answers the audit log has. */
  @Prop({ type: Number, required: true })
  told: number;

  @Prop({ type: Date })
  dueSince?: Date;

  /** When a worker looks at it next. Absent once its end is told. */
  @Prop({ type: Date })
  wakeAt?: Date;

  @Prop({ type: String })
  lease?: string;

  @Prop({ type: Date })
  expireAt?: Date;
}

export const QuestionSchema = defineSchema(Question);
export const QUESTION_SHARD_KEY = shardBy(QuestionSchema, '_environmentId');

const waiting = { partialFilterExpression: { wakeAt: { $exists: true } } };
// claim, oldest first; next due time
QuestionSchema.index({ wakeAt: 1 }, waiting);
// claim of each environment's share under a backlog
QuestionSchema.index({ _environmentId: 1, wakeAt: 1 }, waiting);
// size and age of the backlog
QuestionSchema.index({ dueSince: 1 }, waiting);
for (const field of ['suspectGroup', 'setAsideAt']) {
  // There are none: nothing that workers die of is specific to a question.
  QuestionSchema.index({ [field]: 1 }, { partialFilterExpression: { [field]: { $exists: true } } });
}
// lists, newest first; those of a person, also for export and erasure
QuestionSchema.index({ _environmentId: 1, deleted: 1, createdAt: -1, _id: -1 });
QuestionSchema.index({ _environmentId: 1, status: 1, createdAt: -1, _id: -1 });
QuestionSchema.index({ _environmentId: 1, 'people.subscriberId': 1, createdAt: -1, _id: -1 });
QuestionSchema.index({ _environmentId: 1, 'people._id': 1, createdAt: -1, _id: -1 });
// what an agent wants to send to a person who is erased
QuestionSchema.index(
  { _environmentId: 1, 'request.recipients._id': 1 },
  { partialFilterExpression: { 'request.recipients': { $exists: true } } },
);
QuestionSchema.index({ expireAt: 1 }, { expireAfterSeconds: 0 });
