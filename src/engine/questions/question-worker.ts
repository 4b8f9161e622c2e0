import { Injectable } from '@nestjs/common';
import { type Clock, FailPoint } from '#libs/common';
import { AppConfig } from '#libs/config';
import { AppLogger } from '#libs/http-kit';
import { Background, BatchWorker } from '#libs/work';
import { CancellationPending } from '../delivery/index.js';
import { QuestionAsking } from './question-asking.js';
import { QuestionClosing } from './question-closing.js';
import { nextDue, nextWave, verdictOf } from './question-rules.js';
import type { Question } from './question.schema.js';
import { QuestionQueue, QuestionStore } from './question-store.js';

/** Between what a worker did and its record: with what it is about to do next. */
export const WORKING = new FailPoint<Question>('question.working');

/** Questions per claim, and those of one environment among them. */
const BATCH = 100;
const BATCH_OF_ONE_ENVIRONMENT = 50;
const LOOK_AGAIN_MS = 1_000;
const DAY_MS = 86_400_000;

/**
 * Asks the waves of questions, reminds, ends them at their time limit, and tells everybody of the outcome. All of it is named by the
 * question, so whoever holds it does the same, and it happens once.
 */
@Injectable()
export class QuestionWorker extends BatchWorker<Question> {
  private readonly clock: Clock;
  private readonly retentionMs: number;

  constructor(
    private readonly store: QuestionStore,
    queue: QuestionQueue,
    private readonly asking: QuestionAsking,
    private readonly closing: QuestionClosing,
    config: AppConfig,
    logger: AppLogger,
  ) {
    const background = new Background((error) => logger.error(error, 'Questions'));
    super({ config, background, queue, most: BATCH, mostOfOne: BATCH_OF_ONE_ENVIRONMENT });
    this.retentionMs = config.get('RETENTION_DAYS') * DAY_MS;
    this.clock = queue.clock;
  }

  carryOut(rows: readonly Question[]): Promise<void> {
    return this.each(rows, (row) => this.lookAt(row));
  }

  private async lookAt(row: Question): Promise<void> {
    await WORKING.pass(row);
    await this.closing.tell(row);
    const isSaved = row.status === 'open' ? await this.goOn(row) : await this.close(row);
    if (isSaved) return;
    await this.store.letGo(row);
    this.wake();
  }

  private async goOn(row: Question): Promise<boolean> {
    const now = this.clock.now();
    const told = row.answers.length;
    if (row.expiresAt <= now) {
      await this.store.expire(row);
      return false;
    }
    // People may have been deleted, so that nobody is left who could decide; about requests of agents, people of the console always can.
    const verdict = row.request === undefined ? verdictOf(row) : undefined;
    if (verdict !== undefined) {
      await this.store.end(row, {
        status: verdict.status,
        outcome: { at: now, ...(verdict.value !== undefined && { value: verdict.value }) },
      });
      return false;
    }
    const waveAt = nextWave(row);
    if (waveAt !== undefined && waveAt <= now) {
      const wave = await this.asking.ask(row);
      await WORKING.pass(row);
      return this.save({ ...row, asked: [...row.asked, wave] }, { $set: { told }, $push: { asked: wave } });
    }
    if (row.remindAt !== undefined && row.reminded === undefined && row.remindAt <= now) {
      const reminded = await this.asking.remind(row);
      await WORKING.pass(row);
      return this.save({ ...row, reminded }, { $set: { told, reminded } });
    }
    return this.save(row, { $set: { told } });
  }

  private save(row: Question, update: { $set: object; $push?: object }): Promise<boolean> {
    const at = nextDue(row);
    return this.store.save(row, { ...update, $set: { ...update.$set, wakeAt: at, dueSince: at } });
  }

  private async close(row: Question): Promise<boolean> {
    const told = row.answers.length;
    try {
      await this.closing.close(row);
    } catch (error) {
      if (!(error instanceof CancellationPending)) throw error;
      const again = new Date(this.clock.now().getTime() + LOOK_AGAIN_MS);
      return this.store.save(row, { $set: { told, wakeAt: again } });
    }
    await WORKING.pass(row);
    const expireAt = new Date((row.outcome?.at ?? row.expiresAt).getTime() + this.retentionMs);
    return this.store.save(row, {
      $set: { told, ...(this.retentionMs > 0 && { expireAt }) },
      $unset: { wakeAt: 1, dueSince: 1, 'request.body': 1, 'request.recipients': 1 },
    });
  }
}
