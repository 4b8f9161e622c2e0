import { Injectable } from '@nestjs/common';
import { OnDomainEvent } from '#libs/common';
import { derivedObjectId, toObjectId } from '#libs/persistence';
import { AgentRequestCarriedOut, QuestionAnswerGiven } from '../../engine/questions/index.js';
import type { AuditEntry } from './audit-entry.schema.js';
import { AuditTrail } from './audit-trail.js';

/** Answers to questions, whichever way they come. A worker tells of them, so that none is missing after a crash. */
@Injectable()
export class AuditedAnswers {
  constructor(private readonly trail: AuditTrail) {}

  @OnDomainEvent(QuestionAnswerGiven)
  async answerGiven({ owner, questionId, kind, answer }: QuestionAnswerGiven): Promise<void> {
    const { _subscriberId, apiKeyId, account, value, via, at, signature } = answer;
    const actor: AuditEntry['actor'] =
      apiKeyId === undefined
        ? { type: 'subscriber', id: _subscriberId.toHexString() }
        : { type: 'api_key', id: apiKeyId };
    const id = derivedObjectId(toObjectId(questionId), 'answer', _subscriberId.toHexString());
    const isChoice = kind === 'approve' || kind === 'choose';
    await this.trail.recordOnce(
      owner,
      id,
      {
        action: 'answerQuestion',
        actor,
        via,
        ip: '',
        userAgent: '',
        requestId: '',
        resource: { type: 'question', id: questionId },
      },
      {
        outcome: 'done',
        changes: [
          isChoice ? { path: 'answer', after: value } : { path: 'answer', hidden: 'personal' },
          { path: 'subscriber', after: _subscriberId.toHexString() },
          ...(account === undefined ? [] : [{ path: 'account', after: account }]),
          { path: 'at', after: at.toISOString() },
          { path: 'signature', after: signature },
        ],
      },
    );
  }

  /** What an agent was allowed to do by a person, whose decision is an entry of its own. */
  @OnDomainEvent(AgentRequestCarriedOut)
  async requestCarriedOut({ owner, question, errorCode }: AgentRequestCarriedOut): Promise<void> {
    const { _id, by, request } = question;
    if (request === undefined) return;
    const { operation, agent, result, workflow } = request;
    const isEvent = operation === 'triggerEvent';
    await this.trail.recordOnce(
      owner,
      derivedObjectId(_id, 'request'),
      {
        action: operation,
        actor: { type: 'agent', id: by.apiKeyId, name: agent },
        via: 'mcp',
        ip: '',
        userAgent: '',
        requestId: '',
        resource: {
          type: isEvent ? 'event' : 'question',
          id: result,
          ...(workflow !== undefined && { name: workflow }),
        },
      },
      errorCode === undefined ? { outcome: 'done' } : { outcome: 'refused', errorCode },
    );
  }
}
