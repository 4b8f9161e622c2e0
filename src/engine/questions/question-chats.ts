import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { ChannelRegistry, escapeValue, findProvider, ProviderError } from '#libs/channels';
import { AppLogger } from '#libs/http-kit';
import { Background } from '#libs/work';
import { type ActiveIntegration, IntegrationsService } from '../../channels/integrations/index.js';
import { type ResolvedSubscriber, SubscribersService } from '../../audience/subscribers/index.js';
import { type ChatCopy, QuestionCopies } from '../messages/marks/index.js';
import { callerOf, sentEvents } from './question-asking.js';
import { labelOf } from './question-rules.js';
import type { Question } from './question.schema.js';

const AT_ONCE = 5;
const CALL_MS = 2_500;
/** For those of one question. */
const ALL_MS = 5_000;

/** The chat messages that ask a question, where their providers can change them. */
@Injectable()
export class QuestionChats implements BeforeApplicationShutdown {
  private readonly background = new Background((error) => this.logger.error(error, 'Questions in chats'));

  constructor(
    private readonly copies: QuestionCopies,
    private readonly integrations: IntegrationsService,
    private readonly subscribers: SubscribersService,
    private readonly channels: ChannelRegistry,
    private readonly logger: AppLogger,
  ) {}

  /** Who decided what, for people. */
  async endOf(row: Question): Promise<string> {
    const { status, outcome } = row;
    if (status === 'canceled') return 'The question was canceled.';
    if (outcome?.value === undefined) return `The question ended without an answer.`;
    const label = labelOf(row, outcome.value);
    const id = outcome.by?.type === 'subscriber' ? outcome.by.id : undefined;
    if (outcome.by?.name !== undefined) return `Answered by ${outcome.by.name}: ${label}`;
    if (id === undefined) return `Nobody answered in time: ${label}`;
    const person = await this.subscribers.findById(callerOf(row), id);
    const name = [person?.firstName, person?.lastName].filter(Boolean).join(' ');
    return `Answered by ${name === '' ? (person?.subscriberId ?? 'somebody who was deleted') : name}: ${label}`;
  }

  /** Those of one person. */
  async copiesOf(row: Question, subscriberId: string): Promise<ChatCopy[]> {
    const copies: ChatCopy[] = [];
    const pages = this.copies.inChats(callerOf(row), sentEvents(row), { subscriberId, size: AT_ONCE });
    for await (const page of pages) copies.push(...page);
    return copies;
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.background.settle();
  }

  /**
   * Says it in all of them, without buttons, and nobody waits for it: the services are those of others. What is not said in time is
   * left. Whoever presses such a button is told, and sees it then.
   */
  sayToAll(row: Question, transactions: readonly string[], text: string): void {
    this.background.start(async () => {
      const until = performance.now() + ALL_MS;
      for await (const page of this.copies.inChats(callerOf(row), transactions, { size: AT_ONCE })) {
        await this.say(row, page, text);
        if (performance.now() > until) return;
      }
    });
  }

  /** Never fails: what a provider refuses stays as it is. */
  async say(row: Question, copies: readonly ChatCopy[], text: string, timeoutMs = CALL_MS): Promise<void> {
    const possible = copies.filter(({ providerId }) => findProvider(providerId, 'chat')?.supports.replaces === true);
    if (possible.length === 0) return;
    const caller = callerOf(row);
    const [active, people] = await Promise.all([
      this.integrations.candidates(caller, 'chat'),
      this.subscribers.findByIds(caller, [...new Set(possible.map(({ subscriberId }) => subscriberId))]),
    ]);
    await Promise.all(
      possible.map(async (copy) => {
        const person = people.get(copy.subscriberId);
        // A person may have entries of several integrations of a provider, and the message does not say which one was used.
        for (const integration of active) {
          const entry = entryOf(person, copy, integration);
          if (entry && (await this.change(row, copy, integration, entry, text, timeoutMs))) return;
        }
      }),
    );
  }

  /** @returns whether the provider has changed it */
  private async change(
    row: Question,
    { id, content, identifier }: ChatCopy,
    { providerId, credentials }: ActiveIntegration,
    { credentials: subscriberCredentials }: Entry,
    text: string,
    timeoutMs: number,
  ): Promise<boolean> {
    const shown = withEnd(content, text, providerId);
    const message = {
      channel: 'chat',
      id,
      content: shown,
      buttons: [],
      replaces: identifier,
      subscriberCredentials,
    } as const;
    try {
      await this.channels.send('chat', providerId, message, {
        credentials,
        timeoutMs,
        idempotencyKey: `${id}:${row.status}`,
      });
      return true;
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      this.logger.event('debug', 'chat_copy_not_changed', { providerId, code: error.code });
      return false;
    }
  }
}

type Entry = Pick<ResolvedSubscriber['channels'][number], 'credentials'>;

function entryOf(
  person: ResolvedSubscriber | undefined,
  { providerId }: ChatCopy,
  integration: ActiveIntegration,
): Entry | undefined {
  if (integration.providerId !== providerId) return undefined;
  return person?.channels.find(({ _integrationId }) => _integrationId === integration.id);
}

/** What a message says once there is something to say about its question, cut to what the provider takes. */
export function withEnd(content: string, text: string, providerId: string): string {
  const provider = findProvider(providerId, 'chat');
  const { most = Infinity, unit } = provider?.limit ?? {};
  const end = `\n\n${escapeValue(provider, text)}`;
  // Letters of up to four bytes.
  const room = (unit === 'bytes' ? most / 4 : most) - [...end].length;
  const letters = [...content];
  return `${letters.length <= room ? content : letters.slice(0, Math.max(0, room)).join('')}${end}`;
}
