import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller, TenantContext } from '#libs/common';
import {
  ApiData,
  ApiErrors,
  ApiPage,
  Audited,
  IdParam,
  lookAt,
  NeedsScope,
  NotAudited,
  type Page,
  Tenant,
} from '#libs/http-kit';
import { RenderingIsBusy } from '../delivery/index.js';
import {
  AnswerQuestionDto,
  CreateQuestionDto,
  DecideQuestionDto,
  GetQuestionQuery,
  ListQuestionsQuery,
} from './question.dto.js';
import { QuestionAnswers } from './question-answers.js';
import { QuestionResponse } from './question.response.js';
import {
  DecisionNeedsPerson,
  QuestionAlreadyAnswered,
  QuestionEnded,
  QuestionIsForAsked,
  QuestionNotFound,
  SubscriberNotAsked,
} from './questions.errors.js';
import { QuestionsService } from './questions.service.js';

@ApiTags('Questions')
@Controller({ path: 'questions', version: '1' })
@Audited('question', {
  look: lookAt(QuestionsService, (questions, caller, id) => questions.get(caller, id)),
  personal: true,
})
export class QuestionsController {
  constructor(
    private readonly questions: QuestionsService,
    private readonly answers: QuestionAnswers,
  ) {}

  /**
   * Asks people a question.
   * @remarks It has exactly one outcome: the answer that decided, the end of its time, or its cancellation. Send an `Idempotency-Key` so
   * that a repeated request asks once.
   */
  @Post()
  @NeedsScope('trigger')
  @ApiData(201, QuestionResponse)
  @ApiErrors(RenderingIsBusy)
  createQuestion(@Tenant() caller: Caller, @Body() dto: CreateQuestionDto): Promise<QuestionResponse> {
    return this.questions.create(caller, dto);
  }

  /** Lists the questions, newest first. */
  @Get()
  @ApiPage(QuestionResponse)
  listQuestions(@Tenant() tenant: TenantContext, @Query() query: ListQuestionsQuery): Promise<Page<QuestionResponse>> {
    return this.questions.list(tenant, query);
  }

  /**
   * Gets a question, and waits for its outcome on request.
   * @remarks With `wait`, the answer comes as soon as the question has ended, or after so many seconds. Ask again until `status` is no
   * longer `open`.
   */
  @Get(':questionId')
  @ApiData(200, QuestionResponse)
  @ApiErrors(QuestionNotFound)
  getQuestion(
    @Tenant() tenant: TenantContext,
    @IdParam('questionId') questionId: string,
    @Query() { wait }: GetQuestionQuery,
  ): Promise<QuestionResponse> {
    return this.questions.wait(tenant, questionId, wait ?? 0);
  }

  /**
   * Answers for a subscriber.
   * @remarks For servers that ask people in their own way. The same answer again changes nothing. Every answer is an entry of the audit log.
   */
  @Post(':questionId/answers')
  @HttpCode(200)
  @NeedsScope('trigger')
  @NotAudited('each answer is an entry of its own, whichever way it comes')
  @ApiData(200, QuestionResponse)
  @ApiErrors(QuestionNotFound, QuestionEnded, QuestionAlreadyAnswered, SubscriberNotAsked, RenderingIsBusy)
  async answerQuestion(
    @Tenant() caller: Caller,
    @IdParam('questionId') questionId: string,
    @Body() { subscriberId, value }: AnswerQuestionDto,
  ): Promise<QuestionResponse> {
    return this.questions.show(await this.answers.answerFor(caller, questionId, subscriberId, value));
  }

  /**
   * Decides about the request of an agent.
   * @remarks For people of the console. What the agent wants to do is carried out once, after a yes. Other questions are for the people who are
   * asked.
   */
  @Post(':questionId/decision')
  @HttpCode(200)
  @NeedsScope('trigger')
  @ApiData(200, QuestionResponse)
  @ApiErrors(QuestionNotFound, QuestionEnded, QuestionIsForAsked, DecisionNeedsPerson)
  decideQuestion(
    @Tenant() caller: Caller,
    @IdParam('questionId') questionId: string,
    @Body() { value }: DecideQuestionDto,
  ): Promise<QuestionResponse> {
    return this.questions.decide(caller, questionId, value);
  }

  /** Cancels a question that is open. Messages that are not sent yet will not be. */
  @Post(':questionId/cancel')
  @HttpCode(200)
  @NeedsScope('trigger')
  @ApiData(200, QuestionResponse)
  @ApiErrors(QuestionNotFound, QuestionEnded)
  cancelQuestion(@Tenant() caller: Caller, @IdParam('questionId') questionId: string): Promise<QuestionResponse> {
    return this.questions.cancel(caller, questionId);
  }
}
