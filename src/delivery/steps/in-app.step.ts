import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { Rendering, safeImage, safeLink, TemplateError } from '#libs/templates';
import { DETAIL } from '../../execution-details/index.js';
import { IntegrationsService } from '../../integrations/index.js';
import type { MessageActor, MessageCta } from '../../messages/index.js';
import { isWithoutContent } from '../../workflows/index.js';
import type { RunTemplate } from '../records/workflow-version.js';
import {
  after,
  combine,
  detailOf,
  interruptionOf,
  MessageSent,
  reportOf,
  type StepReport,
} from '../run/step-report.js';
import { environmentOf, type Run, tenantOf } from '../run/run.js';
import type { StepHandler, StepTask } from '../run/step-handler.js';
import { checkSize, messageOf, originOf } from './message-effects.js';
import type { MessageContentFields } from './provider-channel.js';
import { type ChosenTemplate, StepGate } from './step-gate.js';
import { missingValueDetails, templateVariables } from './template-variables.js';

const IN_APP_PROVIDER = 'novu';

/** Renders a link; one that could run code becomes empty. @param path names the link in the trail */
type RenderLink = (source: unknown, path: string) => string;

/** Puts a message into the subscriber's feed. Nothing leaves the process: the message is the delivery. */
@Injectable()
export class InAppStep implements StepHandler {
  readonly type = 'in_app' as const;

  constructor(
    private readonly gate: StepGate,
    private readonly integrations: IntegrationsService,
    private readonly rendering: Rendering,
  ) {}

  async run(task: StepTask): Promise<StepReport> {
    const { run, state, now } = task;
    const refused = await this.gate.refuse(task);
    if (refused) return refused;
    return after({ details: [detailOf(state, DETAIL.startSending, now)] }, async () => {
      if (!(await this.integrations.hasActive(tenantOf(run.event), 'in_app'))) {
        const error = 'The in-app channel is switched off.';
        const detail = detailOf(state, DETAIL.noActiveIntegration, now);
        return reportOf({ kind: 'failed', reason: 'no_active_integration', error }, [detail]);
      }
      try {
        const chosen = await this.gate.chooseTemplate(task);
        return await after(chosen, () => this.deliver(task, chosen));
      } catch (error) {
        return withoutContent(task, error);
      }
    });
  }

  /** Renders all texts of a template in one call. @returns looks up the rendered text of a source */
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

  private async deliver(task: StepTask, { _id, template }: ChosenTemplate): Promise<StepReport> {
    const { run, state, now } = task;
    return after({ details: missingValueDetails(task, template) }, async () => {
      if (isWithoutContent(template) && !template.title && !template.subject) {
        throw new TemplateError('the step has no content. Give it some with PUT /v1/workflows/{workflowId}');
      }
      const { content, removed } = contentOf(template, await this.renderAll(run, template));
      const { payload, overrides } = run.event;
      const fields = { _messageTemplateId: _id, providerId: IN_APP_PROVIDER, payload, overrides, ...content };
      checkSize(fields);
      const message = messageOf(task, '', { ...fields, status: 'sent' });
      const more = { messageId: message._id, providerId: IN_APP_PROVIDER };
      const raw = { removed, error: 'Links of this kind can run code, so the message has none in their place.' };
      return {
        outcome: { kind: 'completed' },
        progress: { providerId: IN_APP_PROVIDER },
        messages: [message],
        updates: [],
        details: [
          detailOf(state, DETAIL.messageCreated, now, more),
          ...(removed.length > 0 ? [detailOf(state, DETAIL.linkRemoved, now, { ...more, raw })] : []),
          detailOf(state, DETAIL.messageSent, now, more),
        ],
        events: [new MessageSent(...originOf(task, message))],
      };
    });
  }
}

function withoutContent({ state, now }: StepTask, error: unknown): StepReport {
  const { reason, effects } = interruptionOf(error);
  if (!(reason instanceof TemplateError)) throw error;
  const detail = detailOf(state, DETAIL.contentNotGenerated, now, { raw: { error: reason.message } });
  return {
    outcome: { kind: 'failed', reason: 'content', error: reason.message },
    progress: {},
    ...combine(effects, { details: [detail] }),
  };
}

function contentOf(
  template: RunTemplate,
  render: Render,
): { readonly content: MessageContentFields; readonly removed: string[] } {
  const removed: string[] = [];
  const link = (source: unknown, path: string): string => {
    const url = render(source);
    const safe = safeLink(url);
    if (safe === undefined && url.trim() !== '') removed.push(path);
    return safe ?? '';
  };
  const cta = renderCta(template, render, link);
  const actor = safeActor(template);
  const content = {
    content: render(template.content),
    ...(typeof template.title === 'string' && { title: render(template.title) }),
    ...(typeof template.subject === 'string' && { subject: render(template.subject) }),
    ...(template._feedId && { _feedId: new Types.ObjectId(template._feedId) }),
    ...(cta && { cta }),
    ...(actor && { actor }),
  };
  return { content, removed };
}

type Render = (source: unknown) => string;

/** The picture of the message; a picture of the workflow is an address that clients load. */
function safeActor({ actor }: RunTemplate): MessageActor | undefined {
  if (actor === undefined) return undefined;
  const { type, data, ...rest } = actor as unknown as MessageActor;
  const isUrl = type === 'system_custom' && typeof data === 'string';
  return { ...rest, type, data: isUrl ? (safeImage(data) ?? '') : data };
}

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
