import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { finished, isWithoutContent, type RenderedField, safeImage, TemplateError, withTexts } from '#libs/templates';
import { DETAIL, type NewDetail } from '../../../execution-details/index.js';
import { IntegrationsService } from '../../../../channels/integrations/index.js';
import type { MessageActor, MessageCta } from '../../../messages/records/index.js';
import { MessageSent } from '../../records/delivery.events.js';
import type { RunTemplate } from '../../records/workflow-version.js';
import { correctionsOf } from '../../run/step-recorder.js';
import { tenantOf } from '../../run/run.js';
import type { StepHandler, StepPreview, StepTask } from '../../run/step-handler.js';
import type { StepOutcome } from '../../run/transitions.js';
import { BudgetGate, isHeldByBudget } from '../budget-gate.js';
import { checkSize, messageOf, originOf } from '../message-effects.js';
import { MessageRendering } from '../message-rendering.js';
import type { MessageContentFields } from '../provider-channel.js';
import { StepGate } from '../step-gate.js';
import { contentFailure } from '../provider-channel.js';
import { keyOf } from '../message-words.js';
import { messageVariables, noteMissingValues, partsOf } from '../template-variables.js';
import { Step } from '../../run/step.decorator.js';
import { inApp } from './in-app.declaration.js';

const IN_APP_PROVIDER = 'novu';

/** Puts a message into the subscriber's feed. Nothing leaves the process: the message is the delivery. */
@Step(inApp)
@Injectable()
export class InAppStep implements StepHandler {
  constructor(
    private readonly gate: StepGate,
    private readonly integrations: IntegrationsService,
    private readonly rendering: MessageRendering,
    private readonly budgets: BudgetGate,
  ) {}

  async run(task: StepTask): Promise<StepOutcome> {
    const refused = await this.gate.refuse(task);
    if (refused) return refused;
    const { run, recorder } = task;
    const isActive = await this.integrations.hasActive(tenantOf(run.event), 'in_app');
    if (!isHeldByBudget(task.state)) recorder.note(DETAIL.startSending);
    if (!isActive) {
      recorder.note(DETAIL.noActiveIntegration);
      return { kind: 'failed', reason: 'no_active_integration', error: 'The in-app channel is switched off.' };
    }
    try {
      return await this.deliver(task);
    } catch (error) {
      const outcome = contentFailure(task, error);
      if (outcome === undefined) throw error;
      return outcome;
    }
  }

  async preview(task: StepTask, template: RunTemplate): Promise<StepPreview> {
    const { content, removed } = await this.render(task, template);
    noteMissingValues(task, template);
    noteRemovedLinks(task, removed);
    const { subject, title, cta, actor } = content;
    return {
      content: {
        content: content.content,
        ...(subject !== undefined && { subject }),
        ...(title !== undefined && { title }),
        ...(cta && { cta }),
        ...(actor && { actor }),
      },
    };
  }

  private async deliver(task: StepTask): Promise<StepOutcome> {
    const { run, recorder } = task;
    const { _id, template } = await this.gate.chooseTemplate(task);
    noteMissingValues(task, template);
    const { content, removed } = await this.render(task, template);
    const { payload, overrides } = run.event;
    const isCaught = await this.integrations.isCatching(tenantOf(run.event));
    const caught = isCaught ? { caught: {} } : {};
    const fields = { _messageTemplateId: _id, providerId: IN_APP_PROVIDER, payload, overrides, ...content, ...caught };
    checkSize(fields);
    const over = await this.budgets.refuse(task, fields);
    if (over) return over;
    const message = messageOf(task, '', { ...fields, status: 'sent' });
    const more = { messageId: message._id, providerId: IN_APP_PROVIDER };
    recorder.note(DETAIL.messageCreated, more);
    noteRemovedLinks(task, removed, more);
    recorder.note(DETAIL.messageSent, more);
    const events = [new MessageSent(...originOf(task, message))];
    recorder.add({ messages: [message], updates: correctionsOf(run, message), events });
    return { kind: 'completed', progress: { providerId: IN_APP_PROVIDER } };
  }

  /** @throws {TemplateError} */
  private async render(task: StepTask, template: RunTemplate): Promise<InAppContent> {
    if (isWithoutContent(template) && !template.title && !template.subject) {
      throw new TemplateError('the step has no content. Give it some with PUT /v1/workflows/{workflowId}');
    }
    const fields = partsOf(template);
    const texts = await this.rendering.texts(task, fields, messageVariables(task, template));
    return contentOf(template, fields, texts);
  }
}

interface InAppContent {
  readonly content: MessageContentFields & { readonly content: string };
  /** Links that could run code, by their paths in the template. */
  readonly removed: readonly string[];
}

function noteRemovedLinks({ recorder }: StepTask, removed: readonly string[], more: Partial<NewDetail> = {}): void {
  if (removed.length === 0) return;
  const raw = { removed, error: 'Links of this kind can run code, so the message has none in their place.' };
  recorder.note(DETAIL.linkRemoved, { ...more, raw });
}

function contentOf(template: RunTemplate, fields: readonly RenderedField[], texts: readonly string[]): InAppContent {
  const removed: string[] = [];
  const rendered = new Map<string, string>();
  for (const [place, { path, as }] of fields.entries()) {
    const text = texts[place] ?? '';
    const safe = finished(text, as);
    if (safe === undefined && text.trim() !== '') removed.push(path);
    rendered.set(path, safe ?? '');
  }
  const [title, subject] = [rendered.get('title'), rendered.get('subject')];
  const [groupKey, replaces] = [keyOf(rendered.get('groupKey')), keyOf(rendered.get('replaces'))];
  const cta = template.cta && (withTexts(template.cta, rendered, 'cta') as MessageCta);
  const actor = safeActor(template);
  const content = {
    content: rendered.get('content') ?? '',
    ...(title !== undefined && { title }),
    ...(subject !== undefined && { subject }),
    ...(template._feedId && { _feedId: new Types.ObjectId(template._feedId) }),
    ...(cta && { cta }),
    ...(actor && { actor }),
    ...(groupKey !== undefined && { groupKey }),
    ...(replaces !== undefined && { replaces }),
  };
  return { content, removed };
}

/** The picture of the message; a picture of the workflow is an address that clients load. */
function safeActor({ actor }: RunTemplate): MessageActor | undefined {
  if (actor === undefined) return undefined;
  const { type, data, ...rest } = actor as unknown as MessageActor;
  const isUrl = type === 'system_custom' && typeof data === 'string';
  return { ...rest, type, data: isUrl ? (safeImage(data) ?? '') : data };
}
