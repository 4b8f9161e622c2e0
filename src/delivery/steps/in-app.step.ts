import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { Rendering, safeImage, safeLink, TemplateError } from '#libs/templates';
import { DETAIL } from '../../execution-details/index.js';
import { IntegrationsService } from '../../integrations/index.js';
import { type MessageActor, type MessageCta, messageIdFor } from '../../messages/index.js';
import { isWithoutContent } from '../../workflows/index.js';
import { MessageSent } from '../delivery.events.js';
import { checkSize } from './message-size.js';
import { newMessage } from './new-message.js';
import { templateVariables } from './variables.js';
import { environmentOf, type Run, tenantOf } from '../run/run.js';
import type { RunTemplate } from '../records/run-workflow.js';
import type { StepResult } from '../run/transitions.js';
import { tellMissing } from './missing-values.js';
import { StepGate } from './step-gate.js';
import type { StepHandler, StepTask } from '../run/step-handler.js';
import { type ChosenTemplate, VariantChooser } from './variant-chooser.js';

/** What messages carry where no integration is needed. */
const IN_APP_PROVIDER = 'novu';

/** Renders a link; one that could run code becomes empty. @param path what the trail calls it */
type RenderLink = (source: unknown, path: string) => string;

/** Puts a message into the subscriber's feed. Nothing leaves the process: the message is the delivery. */
@Injectable()
export class InAppStep implements StepHandler {
  readonly type = 'in_app' as const;

  constructor(
    private readonly gate: StepGate,
    private readonly variants: VariantChooser,
    private readonly integrations: IntegrationsService,
    private readonly rendering: Rendering,
  ) {}

  async run(task: StepTask): Promise<StepResult> {
    const { run, state, now } = task;
    const refused = await this.gate.refuse(task);
    if (refused) return refused;
    const tenant = tenantOf(run.event);
    run.effects.detail(state, DETAIL.startSending, now);
    if (!(await this.integrations.hasActive(tenant, 'in_app'))) {
      run.effects.detail(state, DETAIL.noActiveIntegration, now);
      return { kind: 'failed', reason: 'no_active_integration', error: 'The in-app channel is switched off.' };
    }
    try {
      await this.deliver(task, await this.variants.choose(task));
      return { kind: 'completed' };
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      run.effects.detail(state, DETAIL.contentNotGenerated, now, { raw: { error: error.message } });
      return { kind: 'failed', reason: 'content', error: error.message };
    }
  }

  /** Renders every text of a template together. @returns what each source became */
  private async renderAll(run: Run, template: RunTemplate): Promise<Render> {
    const sources = new Set<string>();
    const collect = (source: unknown): string => (typeof source === 'string' ? (sources.add(source), source) : '');
    for (const text of [template.content, template.title, template.subject]) collect(text);
    renderCta(template, collect, collect);
    const list = [...sources];
    const texts = await this.rendering.texts(
      list.map((source) => ({ source })),
      templateVariables(run),
      environmentOf(run),
    );
    const rendered = new Map(list.map((source, place) => [source, texts[place] ?? '']));
    return (source) => (typeof source === 'string' ? (rendered.get(source) ?? '') : '');
  }

  private async deliver(task: StepTask, { _id, template }: ChosenTemplate): Promise<void> {
    tellMissing(task, template);
    const { run, state, now } = task;
    if (isWithoutContent(template) && !template.title && !template.subject) {
      throw new TemplateError('the step has no content. Give it some with PUT /v1/workflows/{workflowId}');
    }
    const render = await this.renderAll(run, template);
    const removed: string[] = [];
    const link = (source: unknown, path: string): string => {
      const url = render(source);
      const safe = safeLink(url);
      if (safe === undefined && url.trim() !== '') removed.push(path);
      return safe ?? '';
    };
    const cta = renderCta(template, render, link);
    const actor = safeActor(template);
    const { payload, overrides, _templateId } = run.event;
    const content = {
      messageTemplateId: _id,
      providerId: IN_APP_PROVIDER,
      status: 'sent' as const,
      content: render(template.content),
      payload,
      overrides,
      createdAt: now,
      ...(typeof template.title === 'string' && { title: render(template.title) }),
      ...(typeof template.subject === 'string' && { subject: render(template.subject) }),
      ...(template._feedId && { feedId: new Types.ObjectId(template._feedId) }),
      ...(cta && { cta }),
      ...(actor && { actor }),
    };
    checkSize(content);
    const message = newMessage(run, state, content);
    run.effects.messages.push(message);
    const messageId = messageIdFor(message);
    run.effects.detail(state, DETAIL.messageCreated, now, { messageId, providerId: IN_APP_PROVIDER });
    if (removed.length > 0) {
      const raw = { removed, error: 'Links of this kind can run code, so the message has none in their place.' };
      run.effects.detail(state, DETAIL.linkRemoved, now, { messageId, providerId: IN_APP_PROVIDER, raw });
    }
    run.effects.detail(state, DETAIL.messageSent, now, { messageId, providerId: IN_APP_PROVIDER });
    state.providerId = IN_APP_PROVIDER;
    run.effects.events.push(
      new MessageSent(tenantOf(run.event), messageId.toHexString(), 'in_app', run.record.subscriberId, {
        subscriberRecordId: run.facts.subscriber._id,
        notificationId: run.record._id.toHexString(),
        workflowId: _templateId.toHexString(),
        transactionId: run.event.transactionId,
      }),
    );
  }
}

type Render = (source: unknown) => string;

/** The picture beside the message; one of the workflow's own is an address that clients load. */
function safeActor({ actor }: RunTemplate): MessageActor | undefined {
  if (actor === undefined) return undefined;
  const { type, data, ...rest } = actor as unknown as MessageActor;
  const isUrl = type === 'system_custom' && typeof data === 'string';
  return { ...rest, type, data: isUrl ? (safeImage(data) ?? '') : data };
}

/** The call to action with its texts rendered; everything else of it as the workflow has it. */
function renderCta({ cta }: RunTemplate, render: Render, link: RenderLink): MessageCta | undefined {
  if (cta === undefined) return undefined;
  const { data, action, ...rest } = cta as MessageCta;
  return {
    ...rest,
    ...(data && { data: { ...data, ...(data.url !== undefined && { url: link(data.url, 'cta.data.url') }) } }),
    ...(action && {
      action: {
        ...action,
        ...(action.buttons && {
          buttons: action.buttons.map((button, place) => ({
            ...button,
            content: render(button.content),
            ...(button.url !== undefined && { url: link(button.url, `cta.action.buttons.${place}.url`) }),
          })),
        }),
      },
    }),
  };
}
