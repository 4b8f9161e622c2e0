import { Injectable } from '@nestjs/common';
import { AppLogger } from '#libs/http-kit';

/** Work that nobody waits for: its faults are logged, and a shutdown or a test can wait for its end. */
@Injectable()
export class Background {
  private readonly tasks = new Set<Promise<void>>();

  constructor(private readonly logger: AppLogger) {}

  get size(): number {
    return this.tasks.size;
  }

  start(task: () => Promise<void>): void {
    const running = task()
      .catch((error: unknown) => this.logger.error(error, Background.name))
      .finally(() => this.tasks.delete(running));
    this.tasks.add(running);
  }

  /** Lets whoever waits for the end of all work wait for this as well. */
  track<T>(work: Promise<T>): Promise<T> {
    this.start(() => work.then(() => undefined));
    return work;
  }

  /** Resolves when nothing is at work, tasks that tasks have started included. */
  async settle(): Promise<void> {
    while (this.tasks.size > 0) await Promise.all(this.tasks);
  }
}
