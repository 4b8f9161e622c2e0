import { Injectable } from '@nestjs/common';
import { Clock, type TenantContext } from '#libs/common';
import { shown } from '#libs/http-kit';
import { momentOf } from '#libs/schedule';
import { RefusedTriggers } from '../../engine/events/index.js';
import { SubscribersService } from '../../audience/subscribers/index.js';
import { IdentifierSuggestions, type ResolvedWorkflow, WorkflowsService } from '../../content/workflows/index.js';
import { type NotificationResponse, NotificationsService } from '../notifications/index.js';
import { sentenceOf, shortAnswer, verdictOf } from './sentences.js';
import { budgetIn } from './why-budget.response.js';
import type { WhyQuery } from './why.dto.js';
import { WhyGateResponse, WhyNotificationResponse, WhyResponse, WhyStepResponse } from './why.response.js';

const HOUR_MS = 3_600_000;
const MAX_NOTIFICATIONS = 10;

interface Question {
  readonly subscriberId: string;
  readonly workflow: string;
  readonly from: Date;
  readonly to: Date;
}

@Injectable()
export class WhyService {
  constructor(
    private readonly notifications: NotificationsService,
    private readonly refused: RefusedTriggers,
    private readonly subscribers: SubscribersService,
    private readonly workflows: WorkflowsService,
    private readonly suggestions: IdentifierSuggestions,
    private readonly clock: Clock,
  ) {}

  async explain(tenant: TenantContext, subscriberId: string, query: WhyQuery): Promise<WhyResponse> {
    const at = query.at === undefined ? this.clock.now() : momentOf(query.at, 'UTC');
    const question: Question = {
      subscriberId,
      workflow: query.workflow,
      from: new Date(at.getTime() - query.hours * HOUR_MS),
      to: new Date(at.getTime() + HOUR_MS),
    };
    const [known, workflow] = await Promise.all([
      this.subscribers.findByExternalIds(tenant, [subscriberId]),
      this.workflows.findByIdOrIdentifier(tenant, query.workflow),
    ]);
    const found =
      known.size > 0 && workflow !== undefined ? await this.recent(tenant, subscriberId, workflow, question) : [];
    const gates = [
      subscriberGate(subscriberId, known.size > 0),
      await this.workflowGate(tenant, query.workflow, workflow),
      await this.triggerGate(tenant, question, workflow, found),
    ];
    const [newest] = found;
    const stopped = gates.find(({ passed }) => !passed);
    return shown(WhyResponse, {
      ...question,
      verdict: newest === undefined ? 'not_triggered' : verdictOf(newest.jobs),
      sentence: newest === undefined ? (stopped?.sentence ?? '') : shortAnswer(newest.jobs),
      gates,
      notifications: found.map(showRun),
    });
  }

  private async recent(
    tenant: TenantContext,
    subscriberId: string,
    workflow: ResolvedWorkflow,
    { from, to }: Pick<Question, 'from' | 'to'>,
  ): Promise<readonly NotificationResponse[]> {
    const filter = {
      subscriberIds: [subscriberId],
      templates: [workflow.id],
      from: from.toISOString(),
      to: to.toISOString(),
    };
    const { data } = await this.notifications.list(tenant, { ...filter, page: 0, limit: MAX_NOTIFICATIONS }, true);
    return data;
  }

  private async workflowGate(
    tenant: TenantContext,
    name: string,
    workflow: ResolvedWorkflow | undefined,
  ): Promise<WhyGateResponse> {
    if (workflow === undefined) {
      const near = await this.suggestions.nearest(tenant, name);
      const hint = near === undefined ? '' : ` Did you mean '${near}'?`;
      return gate('workflow', false, `This environment has no workflow '${name}'.${hint}`);
    }
    if (workflow.active) return gate('workflow', true, `The workflow '${workflow.identifier}' is active.`);
    return gate(
      'workflow',
      false,
      `The workflow '${workflow.identifier}' is inactive now, so triggers deliver nothing.`,
    );
  }

  private async triggerGate(
    tenant: TenantContext,
    question: Question,
    workflow: ResolvedWorkflow | undefined,
    found: readonly NotificationResponse[],
  ): Promise<WhyGateResponse> {
    const { subscriberId, from, to } = question;
    const name = workflow?.identifier ?? question.workflow;
    const during = `between ${from.toISOString()} and ${to.toISOString()}`;
    if (found.length > 0) {
      const times =
        found.length === 1 ? 'Once' : `${found.length === MAX_NOTIFICATIONS ? 'At least ' : ''}${found.length} times`;
      return gate('trigger', true, `${times} ${during}, '${name}' was triggered for '${subscriberId}'.`);
    }
    const [refused] = await this.refused.ofWorkflow(tenant, name, question);
    const nothing = `No event of '${name}' reached '${subscriberId}' ${during}.`;
    if (refused === undefined) return gate('trigger', false, nothing);
    const words = `At ${refused.updatedAt.toISOString()}, a trigger of the workflow was refused: ${refused.reason}`;
    return gate('trigger', false, `${nothing} ${words}`);
  }
}

function subscriberGate(subscriberId: string, isKnown: boolean): WhyGateResponse {
  if (isKnown) return gate('subscriber', true, `The subscriber '${subscriberId}' exists.`);
  return gate(
    'subscriber',
    false,
    `There is no subscriber '${subscriberId}': it was never created, or it was deleted.`,
  );
}

function gate(name: WhyGateResponse['gate'], passed: boolean, sentence: string): WhyGateResponse {
  return shown(WhyGateResponse, { gate: name, passed, sentence });
}

function showRun({ _id, transactionId, createdAt, status, jobs }: NotificationResponse): WhyNotificationResponse {
  return shown(WhyNotificationResponse, {
    _id,
    transactionId,
    createdAt,
    status,
    verdict: verdictOf(jobs),
    steps: jobs.map((job) => {
      const { type, step, reason, explanation, history, dueAt } = job;
      const settings = history?.preference?.settings;
      const budget = budgetIn(job.executionDetails);
      return shown(WhyStepResponse, {
        type,
        ...(step.name !== undefined && { name: step.name }),
        status: job.status,
        ...(reason !== undefined && { reason }),
        sentence: sentenceOf(job),
        ...(explanation && { remedy: explanation.remedy }),
        conditions: history?.conditions ?? [],
        ...(settings !== undefined && { settings }),
        ...(budget && { budget }),
        ...(dueAt && { until: dueAt }),
      });
    }),
  });
}
