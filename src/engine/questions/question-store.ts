import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { mongo } from 'mongoose';
import { Clock, type TenantContext } from '#libs/common';
import { AppConfig } from '#libs/config';
import { type TenantModel, toObjectId } from '#libs/persistence';
import { keyOf, WorkQueue } from '#libs/work';
import { verdictOf } from './question-rules.js';
import {
  type AnswerValue,
  Question,
  type QuestionAnswer,
  QUESTION_SHARD_KEY,
  type QuestionOutcome,
} from './question.schema.js';

type Environment = Pick<TenantContext, 'environmentId'>;
export type Ending = Pick<Question, 'status'> & { readonly outcome: QuestionOutcome };

@Injectable()
export class QuestionQueue extends WorkQueue<Question> {
  constructor(@InjectModel(Question.name) questions: TenantModel<Question>, clock: Clock, config: AppConfig) {
    super({
      collection: () => questions.collection as unknown as mongo.Collection<Question>,
      groupBy: '_environmentId',
      shardKey: QUESTION_SHARD_KEY,
      clock,
      leaseMs: config.get('DELIVERY_LEASE_MS'),
    });
  }
}

/**
 * The only code that ends a question. Whatever ends it writes answer and outcome together, and only if the question is as it was read:
 * so two cannot both decide, and who comes second reads who was first.
 */
@Injectable()
export class QuestionStore {
  constructor(
    @InjectModel(Question.name) private readonly questions: TenantModel<Question>,
    private readonly clock: Clock,
  ) {}

  async find({ environmentId }: Environment, id: string): Promise<Question | undefined> {
    const own = { _id: toObjectId(id), _environmentId: toObjectId(environmentId), deleted: false };
    return ((await this.rows.findOne(own)) as Question | null) ?? undefined;
  }

  /** @returns false if the question has changed since it was read */
  async answer(row: Question, answer: QuestionAnswer): Promise<boolean> {
    const answers = [...row.answers, answer];
    const verdict = verdictOf({ ...row, answers });
    const { _subscriberId, subscriberId, at } = answer;
    const by = {
      type: 'subscriber',
      id: _subscriberId.toHexString(),
      ...(subscriberId !== undefined && { subscriberId }),
    } as const;
    const ending = verdict && {
      status: verdict.status,
      outcome: { at, ...(verdict.value !== undefined && { value: verdict.value, by }) },
    };
    return this.write(row, { $push: { answers: answer }, ...(ending && { $set: ending }) });
  }

  /** @returns false if the question has changed since it was read */
  end(row: Question, ending: Ending): Promise<boolean> {
    return this.write(row, { $set: ending });
  }

  /** @returns false if the question has changed since it was read */
  cancel(row: Question, by: QuestionOutcome['by']): Promise<boolean> {
    return this.end(row, { status: 'canceled', outcome: { at: this.clock.now(), ...(by && { by }) } });
  }

  /** By somebody who is not asked. @returns false if nobody decided, but somebody else did something: read it again */
  decide(row: Question, value: AnswerValue, by: QuestionOutcome['by']): Promise<boolean> {
    const at = this.clock.now();
    if (row.expiresAt <= at) return this.expire(row);
    return this.end(row, { status: 'answered', outcome: { at, value, ...(by && { by }) } });
  }

  /** What an agent wanted is carried out. Again it is the same. */
  async carriedOut(row: Question, error: string | undefined): Promise<void> {
    const done = { at: this.clock.now(), ...(error !== undefined && { error }) };
    await this.rows.updateOne(
      { ...keyOf(row, QUESTION_SHARD_KEY), 'request.done': { $exists: false } },
      { $set: { 'request.done': done } },
    );
  }

  /** Ids of those that are no longer open, or no longer there. */
  async endedAmong(ids: readonly string[]): Promise<string[]> {
    const open = await this.rows
      .find({ _id: { $in: ids.map(toObjectId) }, status: 'open' })
      .project<Pick<Question, '_id'>>({ _id: 1 })
      .toArray();
    const known = new Set(open.map(({ _id }) => _id.toHexString()));
    return ids.filter((id) => !known.has(id));
  }

  /** @returns false if nobody decided, but somebody else did something: read it again */
  expire(row: Question): Promise<boolean> {
    const { expiresAt, default: value } = row;
    const outcome = { at: expiresAt, ...(value !== undefined && { value, by: { type: 'default' } as const }) };
    return this.end(row, { status: 'expired', outcome });
  }

  /** Goes on under the lease of a worker, if nobody has changed the question meanwhile. */
  async save(row: Question, update: { $set?: object; $push?: object; $unset?: object }): Promise<boolean> {
    const { __v, lease } = row;
    const { matchedCount } = await this.rows.updateOne(
      { ...keyOf(row, QUESTION_SHARD_KEY), lease, __v },
      {
        ...update,
        $set: { ...update.$set, updatedAt: this.clock.now() },
        $unset: { ...update.$unset, lease: 1 },
      },
    );
    return matchedCount > 0;
  }

  /** Somebody has changed it while this worker held it: it is looked at again at once. */
  async letGo(row: Question): Promise<void> {
    await this.rows.updateOne(
      { ...keyOf(row, QUESTION_SHARD_KEY), lease: row.lease },
      { $set: { wakeAt: this.clock.now() }, $unset: { lease: 1 } },
    );
  }

  /** A worker looks at it at once, or when the lease of another one ends, whose own write then finds that something has changed. */
  private async write(row: Question, update: { $set?: object; $push?: object }): Promise<boolean> {
    const { __v, lease } = row;
    const now = this.clock.now();
    const isFree = lease === undefined;
    const { matchedCount } = await this.rows.updateOne(
      { ...keyOf(row, QUESTION_SHARD_KEY), status: 'open', __v, lease: isFree ? { $exists: false } : lease },
      {
        ...update,
        $set: { ...update.$set, ...(isFree && { wakeAt: now }), dueSince: now, updatedAt: now },
        $inc: { __v: 1 },
      },
    );
    return matchedCount > 0;
  }

  private get rows(): TenantModel<Question>['collection'] {
    return this.questions.collection;
  }
}
