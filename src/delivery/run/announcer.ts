import { Injectable } from '@nestjs/common';
import { EventBus } from '#libs/common';
import { AppLogger } from '#libs/http-kit';

/** Tells the rest of the process what has happened to messages. */
@Injectable()
export class Announcer {
  constructor(
    private readonly events: EventBus,
    private readonly logger: AppLogger,
  ) {}

  async publish(events: readonly object[]): Promise<void> {
    // All at once, so that a listener that writes can write them together.
    await Promise.all(events.map((event) => this.tell(event)));
  }

  private async tell(event: object): Promise<void> {
    try {
      await this.events.publish(event);
    } catch (error) {
      // What happened is stored; a listener that fails must not undo or repeat it.
      this.logger.error(error, Announcer.name);
    }
  }
}
