import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { TenantContext } from '#libs/common';
import {
  ApiData,
  ApiErrors,
  type CallingSubscriber,
  ForSubscribers,
  IdParam,
  Subscriber,
  Tenant,
} from '#libs/http-kit';
import { SubscriberSummaries } from '../../audience/subscribers/index.js';
import { RenderingIsBusy } from '../../engine/delivery/index.js';
import {
  OwnAnswerDto,
  OwnAnswerResponse,
  QuestionAlreadyAnswered,
  QuestionAnswers,
  QuestionEnded,
  QuestionNotFound,
  showOwnAnswer,
  SubscriberNotAsked,
} from '../../engine/questions/index.js';

/** Questions that the calling subscriber is asked. */
@ApiTags('Browser clients')
@Controller({ path: 'inbox/questions/:questionId', version: '1' })
@ForSubscribers()
export class InboxQuestionsController {
  constructor(
    private readonly answers: QuestionAnswers,
    private readonly subscribers: SubscriberSummaries,
  ) {}

  /**
   * Answers a question as the calling subscriber.
   * @remarks For pages that ask in their own way. The buttons of in-app messages answer by themselves.
   */
  @Post('answers')
  @HttpCode(200)
  @ApiData(200, OwnAnswerResponse)
  @ApiErrors(QuestionNotFound, QuestionEnded, QuestionAlreadyAnswered, SubscriberNotAsked, RenderingIsBusy)
  async answerInboxQuestion(
    @Tenant() tenant: TenantContext,
    @Subscriber() { subscriberId }: CallingSubscriber,
    @IdParam('questionId') questionId: string,
    @Body() { value }: OwnAnswerDto,
  ): Promise<OwnAnswerResponse> {
    const { _id } = await this.subscribers.recent(tenant, subscriberId);
    const subscriber = { _id: _id.toHexString(), subscriberId };
    return showOwnAnswer(await this.answers.answer(tenant, questionId, { subscriber, value, via: 'inbox' }));
  }
}
