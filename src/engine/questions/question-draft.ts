import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { type Caller, Clock } from '#libs/common';
import { ValidationFailed } from '#libs/http-kit';
import { ownedBy, toObjectId, withoutNullish } from '#libs/persistence';
import { Rendering, RenderingBusy, TemplateError } from '#libs/templates';
import { isGiven } from '#libs/validation';
import { SubscribersService } from '../../audience/subscribers/index.js';
import { TenantsService } from '../../audience/tenants/index.js';
import { TopicsService } from '../../audience/topics/index.js';
import { type CreateQuestionDto, MAX_VALUE, type QuestionWaveDto } from './question.dto.js';
import { QuestionWorkflows } from './question-workflows.js';
import { RenderingIsBusy } from '../delivery/index.js';
import { optionsOf } from './question-rules.js';
import type { AgentRequest, AnswerValue, Question, QuestionPerson } from './question.schema.js';

const MAX_PEOPLE = 1_000;
const BATCH = 500;
const DEFAULT_SECONDS = 7 * 86_400;

export type NewQuestion = Omit<
  Question,
  '_id' | 'createdAt' | 'updatedAt' | 'deleted' | 'deletedAt' | 'deletedBy' | '__v'
>;

/** Where a question comes from that no caller of the API asks. */
export interface Origin {
  /** It is the same at each attempt. */
  readonly id?: Types.ObjectId;
  readonly depth?: number;
  readonly request?: AgentRequest;
}

/** Makes a question of what a caller sends. */
@Injectable()
export class QuestionDrafts {
  constructor(
    private readonly subscribers: SubscribersService,
    private readonly tenants: TenantsService,
    private readonly topics: TopicsService,
    private readonly workflows: QuestionWorkflows,
    private readonly rendering: Rendering,
    private readonly clock: Clock,
  ) {}

  /** @throws {ValidationFailed} */
  async draft(caller: Caller, dto: CreateQuestionDto, { depth = 0, request }: Origin): Promise<NewQuestion> {
    const now = this.clock.now();
    const kind = dto.kind ?? 'approve';
    const options = (dto.options ?? []).map(({ id, label }) => ({ id, label }));
    const times = timesOf(dto, now);
    // People of the console can decide about the request of an agent, also if nobody else is asked.
    const isForAnybody = request !== undefined;
    const waves = wavesOf(dto, isForAnybody);
    const faults = [...faultsOf(dto, kind), ...times.faults, ...waves.faults];
    if (faults.length > 0) throw new ValidationFailed(faults);
    const people = await this.peopleOf(caller, waves.waves, isForAnybody);
    const workflow = await this.workflows.find(caller, dto.workflow ?? undefined);
    const more = [
      ...people.faults,
      ...(workflow === undefined
        ? [`workflow: '${dto.workflow ?? ''}' must be the identifier of a workflow of this environment`]
        : []),
      ...(await this.tenantFaults(caller, dto)),
      ...(workflow?.active === false ? [`workflow: '${workflow.identifier}' is not active`] : []),
      ...(await this.schemaFaults(caller, dto)),
    ];
    const quorum = dto.quorum === 'one' || !isGiven(dto.quorum) ? 1 : dto.quorum;
    if (
      people.faults.length === 0 &&
      typeof quorum === 'number' &&
      quorum > Math.max(people.people.length, isForAnybody ? 1 : 0)
    ) {
      more.push(`quorum must not be more than the ${people.people.length} who are asked`);
    }
    const fault =
      isGiven(dto.default) &&
      (await this.faultOf(caller, { kind, options, ...withoutNullish({ valueSchema: dto.schema }) }, dto.default));
    if (fault) more.push(`default ${fault}`);
    if (more.length > 0 || workflow === undefined) throw new ValidationFailed(more);
    return {
      ...owned(caller),
      title: dto.title,
      ...withoutNullish({ body: dto.body, valueSchema: dto.schema, default: dto.default }),
      kind,
      options,
      quorum,
      veto: dto.veto ?? false,
      people: people.people,
      waves: waves.waves.map(({ after }) => new Date(now.getTime() + (after ?? 0) * 1_000)),
      expiresAt: times.expiresAt,
      ...(isGiven(dto.remindAfter) && { remindAt: new Date(now.getTime() + dto.remindAfter * 1_000) }),
      workflow: workflow.identifier,
      ...(dto.tenant && { tenant: dto.tenant }),
      payload: dto.payload ?? {},
      by: { apiKeyId: caller.apiKeyId, userId: caller.userId, scopes: caller.scopes },
      depth,
      ...(request && { request }),
      status: 'open',
      answers: [],
      asked: [],
      told: 0,
      wakeAt: now,
      dueSince: now,
    };
  }

  /** @returns the end of a sentence, undefined for an answer that the question takes */
  async faultOf(
    { environmentId }: Pick<Caller, 'environmentId'>,
    question: Pick<Question, 'kind' | 'options' | 'valueSchema'>,
    value: AnswerValue,
  ): Promise<string | undefined> {
    const { kind, valueSchema: schema } = question;
    if (kind === 'approve' || kind === 'choose') {
      const ids = optionsOf(question).map(({ id }) => id);
      return ids.some((id) => id === value) ? undefined : `must be one of: ${ids.join(', ')}`;
    }
    if (kind === 'number' && !Number.isFinite(value)) return 'must be a number';
    if (kind === 'text' && typeof value !== 'string') return 'must be a text';
    if (typeof value === 'string' && value.length > MAX_VALUE) return `must be at most ${MAX_VALUE} characters`;
    if (schema === undefined) return undefined;
    try {
      const fault = await this.rendering.schemaFault(schema, value, environmentId);
      return fault && `does not fit the schema of the question: ${fault}`;
    } catch (error) {
      if (error instanceof RenderingBusy) throw new RenderingIsBusy();
      if (!(error instanceof TemplateError)) throw error;
      return `cannot be compared with the schema of the question: ${error.message}`;
    }
  }

  private async tenantFaults(caller: Caller, { tenant }: CreateQuestionDto): Promise<string[]> {
    if (!tenant || (await this.tenants.findByIdentifier(caller, tenant)) !== undefined) return [];
    return [`tenant: '${tenant}' must be the identifier of a tenant of this environment`];
  }

  private async schemaFaults({ environmentId }: Caller, { schema }: CreateQuestionDto): Promise<string[]> {
    if (!isGiven(schema)) return [];
    try {
      await this.rendering.schemaFault(schema, null, environmentId);
      return [];
    } catch (error) {
      if (error instanceof RenderingBusy) throw new RenderingIsBusy();
      if (!(error instanceof TemplateError)) throw error;
      return [`schema is not a JSON Schema: ${error.message}`];
    }
  }

  /** Each once, in the first wave that names them. */
  private async peopleOf(
    caller: Caller,
    waves: readonly QuestionWaveDto[],
    isForAnybody: boolean,
  ): Promise<{ people: QuestionPerson[]; faults: string[] }> {
    const people = new Map<string, QuestionPerson>();
    const add = (_id: string, subscriberId: string, wave: number): void => {
      if (!people.has(_id)) people.set(_id, { _id: new Types.ObjectId(_id), subscriberId, wave });
    };
    const faults: string[] = [];
    for (const [wave, { subscribers, topics }] of waves.entries()) {
      const ids = [...new Set(subscribers ?? [])];
      const keys = [...new Set(topics ?? [])];
      const [known, knownKeys] = await Promise.all([
        this.subscribers.findByExternalIds(caller, ids),
        this.topics.findExistingKeys(caller, keys),
      ]);
      faults.push(
        ...ids
          .filter((id) => !known.has(id))
          .map((id) => `subscribers: '${id}' must be the id of a subscriber of this environment`),
        ...keys
          .filter((key) => !knownKeys.has(key))
          .map((key) => `topics: '${key}' must be the key of a topic of this environment`),
      );
      for (const { _id, subscriberId } of known.values()) add(_id, subscriberId, wave);
      for await (const { members } of this.topics.streamMembers(caller, keys, { batch: BATCH })) {
        for (const { _id, subscriberId } of members) add(_id, subscriberId, wave);
        if (people.size > MAX_PEOPLE) break;
      }
    }
    if (people.size > MAX_PEOPLE) faults.push(`a question asks at most ${MAX_PEOPLE} people`);
    if (people.size === 0 && faults.length === 0 && !isForAnybody)
      faults.push('topics: they have no subscribers, so nobody would be asked');
    return { people: [...people.values()], faults };
  }
}

function owned(caller: Caller): Pick<NewQuestion, '_environmentId' | '_organizationId'> {
  const { _environmentId, _organizationId } = ownedBy(caller);
  return { _environmentId: toObjectId(String(_environmentId)), _organizationId: toObjectId(String(_organizationId)) };
}

function faultsOf({ options, schema, quorum, veto }: CreateQuestionDto, kind: Question['kind']): string[] {
  const isVote = kind === 'approve' || kind === 'choose';
  const ids = (options ?? []).map(({ id }) => id);
  const needsOptions = kind === 'choose' && ids.length < 2;
  return [
    ...(needsOptions ? ['options must name at least two answers to choose from'] : []),
    ...(kind !== 'choose' && ids.length > 0 ? ["options are for questions of the kind 'choose'"] : []),
    ...(new Set(ids).size < ids.length ? ['options must have different ids'] : []),
    ...(isVote && isGiven(schema) ? ["schema is for questions of the kinds 'text' and 'number'"] : []),
    ...(!isVote && isGiven(quorum) && quorum !== 'one' && quorum !== 1
      ? ["quorum must be 'one': texts and numbers are not counted as votes"]
      : []),
    ...(kind !== 'approve' && veto === true ? ["veto is for questions of the kind 'approve'"] : []),
  ];
}

function wavesOf(
  { subscribers, topics, waves }: CreateQuestionDto,
  isForAnybody: boolean,
): { waves: QuestionWaveDto[]; faults: string[] } {
  const first = { subscribers: subscribers ?? [], topics: topics ?? [] };
  const isFirstGiven = first.subscribers.length + first.topics.length > 0;
  const all: QuestionWaveDto[] = [...(isFirstGiven ? [first] : []), ...(waves ?? [])];
  const faults = all.flatMap((wave, place) => {
    const own = isFirstGiven ? place - 1 : place;
    const isEmpty = (wave.subscribers?.length ?? 0) + (wave.topics?.length ?? 0) === 0;
    const before = all[place - 1]?.after ?? 0;
    return [
      ...(isEmpty ? [`waves.${own} must name subscribers or topics`] : []),
      ...(place > 0 && (wave.after ?? 0) <= before ? [`waves.${own}.after must be more than ${before}`] : []),
    ];
  });
  if (all.length === 0 && !isForAnybody) faults.push('subscribers or topics must say who is asked');
  return { waves: all, faults };
}

const YEAR_MS = 366 * 86_400_000;

function timesOf(
  { expiresAt, expiresIn, remindAfter, waves }: CreateQuestionDto,
  now: Date,
): { expiresAt: Date; faults: string[] } {
  const at = isGiven(expiresAt)
    ? new Date(expiresAt)
    : new Date(now.getTime() + (expiresIn ?? DEFAULT_SECONDS) * 1_000);
  const seconds = (at.getTime() - now.getTime()) / 1_000;
  const last = Math.max(0, ...(waves ?? []).map(({ after }) => after ?? 0));
  return {
    expiresAt: at,
    faults: [
      ...(isGiven(expiresAt) && isGiven(expiresIn) ? ['expiresAt and expiresIn must not both be given'] : []),
      ...(at <= now || at.getTime() - now.getTime() > YEAR_MS
        ? ['expiresAt must be in the future, and at most a year from now']
        : []),
      ...(isGiven(remindAfter) && remindAfter >= seconds ? ['remindAfter must be before the end of the question'] : []),
      ...(last > 0 && last >= seconds ? ['waves must be asked before the end of the question'] : []),
    ],
  };
}
