import { Injectable } from '@nestjs/common';
import { type Caller, EventBus, OnDomainEvent } from '#libs/common';
import { createValidationPipe, describeError } from '#libs/http-kit';
import { toObjectId } from '#libs/persistence';
import { SubscribersService } from '../../audience/subscribers/index.js';
import { CallerRights } from '../../platform/auth/index.js';
import { EventsService, TriggerEventDto } from '../events/index.js';
import { callerOf } from './question-asking.js';
import { CreateQuestionDto } from './question.dto.js';
import { AgentRequestApproved, AgentRequestCarriedOut } from './question.events.js';
import type { AgentRequest } from './question.schema.js';
import { QuestionStore } from './question-store.js';
import { QuestionsService } from './questions.service.js';

const validation = createValidationPipe();

/** Carries out what an agent wants to do and a person has approved. What comes of it is named by the request, so again it is the same. */
@Injectable()
export class AgentRequests {
  constructor(
    private readonly events: EventsService,
    private readonly questions: QuestionsService,
    private readonly store: QuestionStore,
    private readonly subscribers: SubscribersService,
    private readonly rights: CallerRights,
    private readonly bus: EventBus,
  ) {}

  /** @throws what is no answer to the agent, such as that the store is not available */
  @OnDomainEvent(AgentRequestApproved)
  async approved({ question }: AgentRequestApproved): Promise<void> {
    const { request } = question;
    if (request?.recipients === undefined || request.done !== undefined) return;
    const caller = callerOf(question);
    // Whoever has the id of a deleted subscriber later gets nothing.
    const ids = request.recipients.map(({ _id }) => _id.toHexString());
    const known = await this.subscribers.findByIds(caller, ids);
    const refusal = await this.refusalOf(
      caller,
      request,
      ids.flatMap((id) => known.get(id)?.subscriberId ?? []),
    );
    await this.bus.publish(new AgentRequestCarriedOut(caller, question, refusal?.code));
    await this.store.carriedOut(question, refusal && [refusal.message].flat().join('; ').slice(0, 1_000));
  }

  private async refusalOf(caller: Caller, request: AgentRequest, recipients: readonly string[]) {
    try {
      // The key may have been revoked since.
      const { scopes } = await this.rights.now(caller);
      await this.carryOut({ ...caller, scopes }, request, recipients);
      return undefined;
    } catch (error) {
      const described = describeError(error);
      if (described.status >= 500) throw error;
      return described;
    }
  }

  private async carryOut(
    caller: Caller,
    { operation, body, result }: AgentRequest,
    recipients: readonly string[],
  ): Promise<void> {
    if (operation === 'triggerEvent') {
      const event = { ...body, to: recipients, transactionId: result };
      const dto: unknown = await validation.transform(event, { type: 'body', metatype: TriggerEventDto });
      await this.events.trigger(caller, dto as TriggerEventDto);
      return;
    }
    const question = { ...body, subscribers: recipients };
    const dto: unknown = await validation.transform(question, { type: 'body', metatype: CreateQuestionDto });
    await this.questions.create(caller, dto as CreateQuestionDto, { id: toObjectId(result) });
  }
}
