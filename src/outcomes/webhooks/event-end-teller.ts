import { BeforeApplicationShutdown, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { AppConfig } from '#libs/config';
import { Background } from '#libs/work';
import { EventEnds } from '../../engine/events/index.js';
import { EndpointDirectory } from './endpoint-directory.js';
import { EVENT_COMPLETED } from './webhook-events.js';
import { WebhookRecorder } from './webhook-recorder.js';

const LOOK_MS = 1_000;
/** How often a process asks whether any environment wants to hear of ends. */
const ASK_EVERY = 5;

/** Records `event.completed` for events that have ended. */
@Injectable()
export class EventEndTeller implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private ticks = 0;
  private isWanted = false;

  constructor(
    private readonly ends: EventEnds,
    private readonly directory: EndpointDirectory,
    private readonly recorder: WebhookRecorder,
    private readonly background: Background,
    private readonly config: AppConfig,
  ) {}

  onApplicationBootstrap(): void {
    this.ends.tellWhere((environmentId) => this.directory.isAnySubscribedTo(environmentId, [EVENT_COMPLETED]));
    if (this.config.get('DELIVERY_WORKER') !== 'on') return;
    this.timer = setInterval(() => this.tick(), LOOK_MS).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  /** Tells of all events that are due to be looked at. */
  async tellAll(): Promise<void> {
    while (await this.ends.look(({ owner, event, shown }) => this.recorder.recordEnd(owner, event._id, shown)));
  }

  private tick(): void {
    this.running ??= this.askAndTell()
      .catch((error: unknown) => this.background.onError(error))
      .finally(() => (this.running = undefined));
  }

  private async askAndTell(): Promise<void> {
    if (this.ticks++ % ASK_EVERY === 0) {
      this.isWanted = (await this.directory.environmentsSubscribedTo([EVENT_COMPLETED])).length > 0;
    }
    if (this.isWanted) await this.tellAll();
  }
}
