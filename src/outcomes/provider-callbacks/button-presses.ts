import { Injectable } from '@nestjs/common';
import { escapeValue, findProvider, type Press } from '#libs/channels';
import { AppException } from '#libs/http-kit';
import type { CallbackIntegration } from '../../channels/integrations/index.js';
import { type ResolvedSubscriber, SubscribersService } from '../../audience/subscribers/index.js';
import {
  labelOf,
  optionsOf,
  type Question,
  QuestionAnswers,
  QuestionChats,
  QuestionsService,
  withEnd,
} from '../../engine/questions/index.js';
import type { ChatCopy } from '../../engine/messages/marks/index.js';
import { RecipientLinks } from '../../platform/recipient-links/index.js';

/** Providers wait three seconds for the answer to a call, and messages may have to be changed twice. */
const CHANGE_MS = 1_000;

/** Takes the answers that people give by buttons in chats. A call that is repeated finds its answer, and changes nothing. */
@Injectable()
export class ButtonPresses {
  constructor(
    private readonly links: RecipientLinks,
    private readonly subscribers: SubscribersService,
    private readonly questions: QuestionsService,
    private readonly answers: QuestionAnswers,
    private readonly chats: QuestionChats,
  ) {}

  /** @returns the body of the answer to the call; undefined: none */
  async take(integration: CallbackIntegration, press: Press): Promise<object | undefined> {
    const { id, owner, providerId } = integration;
    const claims = this.links.readButton(press.token, id);
    if (claims === undefined) return press.reply({ text: 'This button is not valid.' });
    const { questionId, subscriberId, option } = claims;
    const [question, subscriber] = await Promise.all([
      this.questions.look(owner, questionId),
      this.subscribers.findById(owner, subscriberId),
    ]);
    const value = question && optionsOf(question)[option]?.id;
    if (question === undefined || subscriber === undefined || value === undefined)
      return press.reply({ text: 'The question is no longer there.' });
    if (!addressesOf(subscriber, id).some((address) => press.isAt(address)))
      return press.reply({ text: 'This button is for somebody else.' });
    try {
      const account = `${providerId}:${press.account}`;
      await this.answers.answer(owner, questionId, { subscriber, value, via: 'chat', account });
    } catch (error) {
      // What has happened meanwhile, the message says: it has ended, or the person has answered.
      if (!(error instanceof AppException) || error.status >= 500) throw error;
    }
    for (let said = question; ;) {
      const row = (await this.questions.look(owner, questionId)) ?? said;
      const reply = await this.show(integration, press, row, subscriber);
      said = (await this.questions.look(owner, questionId)) ?? row;
      // Otherwise it has ended meanwhile, and the message may say less than it did.
      if (said.status === row.status) return reply;
    }
  }

  /** Says in the messages of the person what came of it. */
  private async show(
    { providerId, buttons }: CallbackIntegration,
    press: Press,
    row: Question,
    { _id: subscriberId }: ResolvedSubscriber,
  ): Promise<object | undefined> {
    const text = await this.textOf(row, subscriberId);
    const copies = await this.chats.copiesOf(row, subscriberId);
    const pressed =
      copies.find((copy) => copy.identifier === press.messageId && copy.providerId === providerId) ??
      standIn(row, press, subscriberId, providerId);
    const others = copies.filter((copy) => copy !== pressed);
    const changed = pressed === undefined || buttons?.repliesChange === true ? others : [pressed, ...others];
    await this.chats.say(row, changed, text, CHANGE_MS);
    return press.reply({ text, content: withEnd(pressed?.content ?? titleOf(row, providerId), text, providerId) });
  }

  private async textOf(row: Question, subscriberId: string): Promise<string> {
    if (row.status !== 'open') return this.chats.endOf(row);
    const own = row.answers.find(({ _subscriberId }) => _subscriberId.equals(subscriberId));
    if (own === undefined) return 'You are not asked any more.';
    return `Your answer: ${labelOf(row, own.value)}. The others have not decided yet.`;
  }
}

/** A message may be pressed before it is stored that it was sent. */
function standIn(row: Question, { messageId }: Press, subscriberId: string, providerId: string): ChatCopy | undefined {
  if (messageId === undefined) return undefined;
  const content = titleOf(row, providerId);
  return { id: row._id.toHexString(), subscriberId, providerId, identifier: messageId, content };
}

function titleOf({ title }: Question, providerId: string): string {
  return escapeValue(findProvider(providerId, 'chat'), title);
}

/** Where the messages of a person go through an integration. */
function addressesOf({ channels, email = '' }: ResolvedSubscriber, integrationId: string): string[] {
  return channels
    .filter(({ _integrationId }) => _integrationId === integrationId)
    .map(({ credentials }) => credentials.channel ?? email);
}
