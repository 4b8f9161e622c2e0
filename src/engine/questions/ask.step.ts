import { Injectable } from '@nestjs/common';
import type { Caller } from '#libs/common';
import { AppException } from '#libs/http-kit';
import { derivedObjectId, toObjectId, withoutNullish } from '#libs/persistence';
import { StepError } from '#libs/plugins';
import { Step, type StepContext, type StepResult, type StepRunner } from '../delivery/index.js';
import { MAX_DEPTH } from '../trigger-workflow/index.js';
import { ask, type AskInput } from './ask.declaration.js';
import type { CreateQuestionDto } from './question.dto.js';
import { ANSWERED, resultOf } from './question-closing.js';
import { QuestionsService } from './questions.service.js';

type Context = StepContext<AskInput>;

/** Asks people, and goes on when the question has its outcome. The question is the same at each attempt: it is asked once. */
@Step(ask)
@Injectable()
export class AskStep implements StepRunner<AskInput> {
  constructor(private readonly questions: QuestionsService) {}

  async run(context: Context): Promise<StepResult> {
    const { depth, idempotencyKey, notificationId } = context;
    const id = derivedObjectId(toObjectId(notificationId), 'question', idempotencyKey);
    const caller = callerOf(context);
    const isKnown = (await this.questions.look(caller, id.toHexString())) !== undefined;
    if (!isKnown) {
      if (depth >= MAX_DEPTH)
        throw notAsked(`this event has started ${MAX_DEPTH} workflows one after the other, which is the most.`);
      await this.created(caller, context, { id, depth: depth + 1 });
    }
    const row = await this.questions.look(caller, id.toHexString());
    if (row === undefined) throw notAsked('it is no longer there.');
    if (row.status === 'open') {
      const awaits = { event: ANSWERED, path: 'questionId', value: id.toHexString() };
      return { status: 'waiting', until: row.expiresAt, awaits };
    }
    return { status: 'completed', output: resultOf(row) };
  }

  /** Nobody answers in a dry run. */
  simulate({ input }: Context): Promise<StepResult> {
    const value = input.default ?? undefined;
    return Promise.resolve({ status: 'completed', output: { status: 'expired', ...withoutNullish({ value }) } });
  }

  private async created(
    caller: Caller,
    context: Context,
    step: NonNullable<Parameters<QuestionsService['create']>[2]>,
  ): Promise<void> {
    try {
      await this.questions.create(caller, questionOf(context), step);
    } catch (error) {
      if (!(error instanceof AppException) || error.status >= 500) throw error;
      throw notAsked([error.messages].flat().join('; '));
    }
  }
}

function questionOf({ input, subscriber, tenant }: Context): CreateQuestionDto {
  const { recipients, topics, waves, ...same } = input;
  const isForSelf = (recipients ?? []).length + (topics ?? []).length === 0;
  return {
    ...same,
    subscribers: isForSelf ? [String(subscriber['subscriberId'])] : (recipients ?? []),
    topics: topics ?? [],
    ...(tenant && { tenant: String(tenant['identifier']) }),
    waves: (waves ?? []).map((wave) => ({
      subscribers: wave.recipients ?? [],
      topics: wave.topics ?? [],
      after: wave.after,
    })),
  };
}

function callerOf({ caller }: Context): Caller {
  return { ...caller, scopes: ['trigger'] };
}

function notAsked(why: string): StepError {
  return new StepError(`The question was not asked: ${why}`, { retryable: false, reason: 'question_not_asked' });
}
