import { Injectable } from '@nestjs/common';
import { AppException } from '#libs/http-kit';
import { type Question, QuestionAnswers, QuestionsService } from '../../engine/questions/index.js';
import { SubscribersService } from '../../audience/subscribers/index.js';
import { faultPage, pageLanguage, type Recipient, Recipients } from '../preference-pages/index.js';
import { type AnswerPage, type AnswerPageContext, askPage, endPage } from './answer-pages.js';

interface Asked {
  readonly recipient: Recipient;
  readonly question: Question;
}

/** The page of a link that asks one person one question. */
@Injectable()
export class AnswerPageService {
  constructor(
    private readonly recipients: Recipients,
    private readonly questions: QuestionsService,
    private readonly answers: QuestionAnswers,
    private readonly subscribers: SubscribersService,
  ) {}

  async show(token: string, acceptedLanguages: string | undefined): Promise<AnswerPage> {
    const found = await this.find(token);
    if (typeof found === 'string') return faultOf(found, acceptedLanguages);
    return this.pageOf(found, acceptedLanguages);
  }

  /** @param read called only for a link that Herald made */
  async answer(
    token: string,
    read: () => Promise<URLSearchParams>,
    acceptedLanguages: string | undefined,
  ): Promise<AnswerPage> {
    const found = await this.find(token);
    if (typeof found === 'string') return faultOf(found, acceptedLanguages);
    const { tenant, subscriber } = found.recipient;
    const text = ((await read()).get('answer') ?? '').trim();
    const value = found.question.kind === 'number' && text !== '' ? Number(text) : text;
    if (text === '') return this.pageOf(found, acceptedLanguages, true);
    try {
      const question = await this.answers.answer(tenant, found.question._id.toHexString(), {
        subscriber,
        value,
        via: 'link',
      });
      return await this.pageOf({ ...found, question }, acceptedLanguages);
    } catch (error) {
      if (!(error instanceof AppException) || error.status >= 500) throw error;
      // What has happened meanwhile, the page says: it has ended, or the person has answered.
      return error.status === 400 ? this.pageOf(found, acceptedLanguages, true) : this.show(token, acceptedLanguages);
    }
  }

  private async find(token: string): Promise<Asked | 'invalid' | 'gone'> {
    const recipient = await this.recipients.find('answer', token);
    if (typeof recipient === 'string') return recipient;
    const { tenant, claims, subscriber } = recipient;
    const question = await this.questions.look(tenant, claims.target ?? '');
    const isAsked = question?.people.some(({ _id }) => _id.equals(subscriber._id)) === true;
    if (question === undefined || !isAsked) return 'gone';
    if (question.tenant === undefined) return { recipient, question };
    const branding = await this.recipients.brandingFor(recipient, question.tenant);
    return { recipient: { ...recipient, branding }, question };
  }

  private async pageOf(
    { recipient, question }: Asked,
    acceptedLanguages: string | undefined,
    isWrong = false,
  ): Promise<AnswerPage> {
    const { tenant, subscriber, branding } = recipient;
    const language = pageLanguage(subscriber.locale, acceptedLanguages);
    const context: AnswerPageContext = { language, branding, question };
    const own = question.answers.find(({ _subscriberId }) => _subscriberId.equals(subscriber._id));
    if (question.status === 'open' && own === undefined) return askPage(context, isWrong);
    const by = question.outcome?.by;
    const decider = by?.type === 'subscriber' ? await this.subscribers.findById(tenant, by.id ?? '') : undefined;
    const name = [decider?.firstName, decider?.lastName].filter(Boolean).join(' ') || decider?.subscriberId;
    return endPage(context, { ...(own && { own: own.value }), ...(name !== undefined && { name }) });
  }
}

function faultOf(fault: 'invalid' | 'gone', acceptedLanguages: string | undefined): AnswerPage {
  const page = faultPage(fault, pageLanguage(undefined, acceptedLanguages));
  return { ...page, said: page.title };
}
