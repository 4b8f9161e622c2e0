import { Inject, Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { type Renderer, TemplateError } from '#libs/templates';
import { DETAIL } from '../../execution-details/index.js';
import { IntegrationsService } from '../../integrations/index.js';
import { type MessageActor, type MessageCta, messageIdFor } from '../../messages/index.js';
import { RENDERER } from '../delivery.tokens.js';
import { MessageSent } from '../delivery.events.js';
import { checkSize } from './message-size.js';
import { newMessage } from './new-message.js';
import { templateVariables } from '../run/payload-of.js';
import { tenantOf } from '../run/run.js';
import type { RunTemplate } from '../run/run-workflow.js';
import type { StepResult } from '../run/transitions.js';
import { StepGate } from './step-gate.js';
import type { StepHandler, StepTask } from './step-handler.js';
import { type ChosenTemplate, VariantChooser } from './variant-chooser.js';

/** What messages carry where no integration is needed (decisions 5.1a). */
const IN_APP_PROVIDER = 'novu';

/** Puts a message into the subscriber's feed. Nothing leaves the process: the message is the delivery. */
@Injectable()
export class InAppStep implements StepHandler {
  readonly type = 'in_app' as const;

  constructor(
    private readonly gate: StepGate,
    private readonly variants: VariantChooser,
    private readonly integrations: IntegrationsService,
    @Inject(RENDERER) private readonly renderer: Renderer,
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
      this.deliver(task, await this.variants.choose(task));
      return { kind: 'completed' };
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      run.effects.detail(state, DETAIL.contentNotGenerated, now, { raw: { error: error.message } });
      return { kind: 'failed', reason: 'content', error: error.message };
    }
  }

  private deliver({ run, state, now }: StepTask, { _id, template }: ChosenTemplate): void {
    const variables = templateVariables(run);
    const render = (source: unknown): string =>
      typeof source === 'string' ? this.renderer.render(source, variables) : '';
    const cta = renderCta(template, render);
    const { payload, _templateId } = run.event;
    const content = {
      messageTemplateId: _id,
      providerId: IN_APP_PROVIDER,
      status: 'sent' as const,
      content: render(template.content),
      payload,
      createdAt: now,
      ...(typeof template.title === 'string' && { title: render(template.title) }),
      ...(typeof template.subject === 'string' && { subject: render(template.subject) }),
      ...(template._feedId && { feedId: new Types.ObjectId(template._feedId) }),
      ...(cta && { cta }),
      ...(template.actor && { actor: template.actor as unknown as MessageActor }),
    };
    checkSize(content);
    const message = newMessage(run, state, content);
    run.effects.messages.push(message);
    const messageId = messageIdFor(message);
    run.effects.detail(state, DETAIL.messageCreated, now, { messageId, providerId: IN_APP_PROVIDER });
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

/** The call to action with its texts rendered; everything else of it as the workflow has it. */
function renderCta({ cta }: RunTemplate, render: (source: unknown) => string): MessageCta | undefined {
  if (cta === undefined) return undefined;
  const { data, action, ...rest } = cta as MessageCta;
  return {
    ...rest,
    ...(data && { data: { ...data, ...(data.url !== undefined && { url: render(data.url) }) } }),
    ...(action && {
      action: {
        ...action,
        ...(action.buttons && {
          buttons: action.buttons.map((button) => ({
            ...button,
            content: render(button.content),
            ...(button.url !== undefined && { url: render(button.url) }),
          })),
        }),
      },
    }),
  };
}
