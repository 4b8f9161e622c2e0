import { Injectable } from '@nestjs/common';
import { OnDomainEvent } from '#libs/common';
import { AppLogger } from '#libs/http-kit';
import { MessageFailed, MessageSent } from '../delivery/index.js';
import { MessageActed, MessagesMarked } from '../messages/index.js';
import { MessagesReported } from '../provider-callbacks/index.js';
import { ChangeSweeper } from './change-sweeper.js';
import { EndpointDirectory } from './endpoint-directory.js';
import { doneBySubscriber, failure, reportedEvent, sending } from './occurrence.js';
import type { WebhookEvent } from './webhook.enums.js';
import { type Note, WebhookRecorder } from './webhook-recorder.js';

/**
 * Notes what other modules tell of. Who publishes decides about waiting: the engine and provider callbacks do what they
 * do again after a crash, so there a note is written before they go on; what subscribers do stands in the messages
 * themselves, where the sweeper finds it if the note is lost, so no request has to wait.
 */
@Injectable()
export class WebhooksListener {
  constructor(
    private readonly directory: EndpointDirectory,
    private readonly recorder: WebhookRecorder,
    private readonly sweeper: ChangeSweeper,
    private readonly logger: AppLogger,
  ) {}

  @OnDomainEvent(MessageSent)
  onSent({ tenant, messageId }: MessageSent): Promise<void> {
    return this.noteIfWanted(['message.sent'], { owner: tenant, messageIds: [messageId], occurrencesOf: sending });
  }

  @OnDomainEvent(MessageFailed)
  onFailed({ tenant, messageId }: MessageFailed): Promise<void> {
    return this.noteIfWanted(['message.failed'], { owner: tenant, messageIds: [messageId], occurrencesOf: failure });
  }

  @OnDomainEvent(MessagesReported)
  async onReported({ owner, reports }: MessagesReported): Promise<void> {
    await Promise.all(
      reports.map(async ({ messageId, status, at, key, response }) => {
        const type = reportedEvent(status);
        if (type === undefined) return;
        const occurrence = { type, at, key, ...(response !== undefined && { response }) };
        await this.noteIfWanted([type], { owner, messageIds: [messageId], occurrencesOf: () => [occurrence] });
      }),
    );
  }

  @OnDomainEvent(MessagesMarked)
  onMarked({ tenant, messageIds, state }: MessagesMarked): void {
    if (state.seen !== true && state.read !== true) return;
    if (messageIds === undefined) this.sweeper.sweepSoon(tenant);
    else this.noteDone(['message.seen', 'message.read'], tenant, messageIds);
  }

  @OnDomainEvent(MessageActed)
  onActed({ tenant, messageId }: MessageActed): void {
    this.noteDone(['message.action'], tenant, [messageId]);
  }

  private noteDone(types: readonly WebhookEvent[], owner: Note['owner'], messageIds: readonly string[]): void {
    this.noteIfWanted(types, { owner, messageIds, occurrencesOf: doneBySubscriber, isDerived: true }).catch(
      (error: unknown) => this.logger.error(error, WebhooksListener.name),
    );
  }

  private async noteIfWanted(types: readonly WebhookEvent[], note: Note): Promise<void> {
    if (await this.directory.isAnyWanted(note.owner.environmentId, types)) await this.recorder.note(note);
  }
}
