import { setTimeout as pause } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { OnDomainEvent } from '#libs/common';
import { AppLogger } from '#libs/http-kit';
import { QuestionSettled } from './question.events.js';
import { QuestionStore } from './question-store.js';

/** Another process may have ended a question: its own are told at once. */
const LOOK_MS = 500;

/** Callers that wait for the end of questions. One query looks for all of them, however many they are. */
@Injectable()
export class QuestionWaits implements BeforeApplicationShutdown {
  private readonly waiting = new Map<string, Set<() => void>>();
  private looking: Promise<void> | undefined;
  private isClosing = false;

  constructor(
    private readonly store: QuestionStore,
    private readonly logger: AppLogger,
  ) {}

  /** Until the question has ended, or for so long. @returns false when the process ends */
  async end(id: string, ms: number): Promise<boolean> {
    if (this.isClosing) return false;
    const over = new AbortController();
    const wake = (): void => over.abort();
    const own = this.waiting.get(id) ?? new Set();
    this.waiting.set(id, own.add(wake));
    this.looking ??= this.look().finally(() => (this.looking = undefined));
    await pause(ms, undefined, { signal: over.signal }).catch(() => undefined);
    own.delete(wake);
    if (own.size === 0 && this.waiting.get(id) === own) this.waiting.delete(id);
    return !this.isClosing;
  }

  @OnDomainEvent(QuestionSettled)
  settled({ question }: QuestionSettled): void {
    this.wake(question._id);
  }

  beforeApplicationShutdown(): void {
    this.isClosing = true;
    for (const id of this.waiting.keys()) this.wake(id);
  }

  private wake(id: string): void {
    for (const wake of this.waiting.get(id) ?? []) wake();
  }

  private async look(): Promise<void> {
    while (this.waiting.size > 0) {
      await pause(LOOK_MS, undefined, { ref: false });
      try {
        for (const id of await this.store.endedAmong([...this.waiting.keys()])) this.wake(id);
      } catch (error) {
        this.logger.error(error, QuestionWaits.name);
      }
    }
  }
}
