import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { findProvider, type PushMessage } from '#libs/channels';
import { finished, RENDERED_FIELDS, TemplateError } from '#libs/templates';
import { DETAIL } from '../../../execution-details/index.js';
import type { RunTemplate } from '../../records/workflow-version.js';
import type { StepContent, StepTask } from '../../run/step-handler.js';
import { IntegrationRoutes, type Served, type ServedEntry } from '../integration-routes.js';
import { MessageRendering } from '../message-rendering.js';
import { keyOf } from '../message-words.js';
import { offeredAnswers } from '../offered-answers.js';
import { noteNotSent } from '../not-sent.js';
import { channelOverrides, overridesOf, providerOverrides, textAt, textsAt, unique } from '../overrides.js';
import type { Addresses, ProviderChannel, RenderedContent, Target, Unreachable } from '../provider-channel.js';
import { messageVariables, noteMissingValues, stepView, subscriberView } from '../template-variables.js';

const FIELDS = RENDERED_FIELDS.push;

interface PushContent extends RenderedContent {
  readonly title: string;
  readonly text: string;
  readonly replaces: string | undefined;
}

/**
 * Push: each provider entry of the subscriber has its own outcome, and each token of it, where the provider reports tokens
 * separately.
 */
@Injectable()
export class PushChannel implements ProviderChannel<PushContent> {
  readonly channel = 'push' as const;
  readonly errorId = 'unexpected_push_error';
  readonly allFailed = DETAIL.notificationError;
  readonly namesProvider = true;

  constructor(
    private readonly routes: IntegrationRoutes,
    private readonly rendering: MessageRendering,
  ) {}

  async render(task: StepTask, template: RunTemplate): Promise<PushContent> {
    const over = channelOverrides(overridesOf(task), 'push');
    const given = { title: textAt(over, 'title'), text: textAt(over, 'content') };
    const sources = [
      { source: given.title === undefined ? template.title : undefined, as: FIELDS.title },
      { source: given.text === undefined ? template.content : undefined, as: FIELDS.content },
      { source: template.replaces, as: FIELDS.replaces },
    ].map(({ source, as }) => ({ source: typeof source === 'string' ? source : '', as }));
    noteMissingValues(task, template);
    const rendered = await this.rendering.texts(task, sources, messageVariables(task, template));
    const title = given.title ?? rendered[0] ?? '';
    const text = given.text ?? rendered[1] ?? '';
    if (`${title}${text}`.trim() === '') throw new TemplateError('the push message is empty');
    const replaces = keyOf(finished(rendered[2] ?? '', FIELDS.replaces));
    return { title, text, replaces, record: { title, content: text } };
  }

  contentOf({ title, text }: PushContent): StepContent {
    return { title, content: text };
  }

  async address(task: StepTask, content: PushContent): Promise<Addresses> {
    const served = await this.routes.entriesOf(task, 'push');
    if (served.length === 0) {
      const standIn = await this.routes.standIn(task, 'push');
      if (standIn !== undefined) return { targets: [targetOf(task, content, standIn, [])], unreachable: [] };
      const error = 'The subscriber has no push channel.';
      return {
        targets: [],
        unreachable: [{ key: '', detail: DETAIL.noActiveChannel, reason: 'no_channel', error, isMissing: true }],
      };
    }
    const found = served.flatMap<Target | Unreachable>((entry) => this.fromEntry(task, content, entry));
    return {
      targets: found.filter((one): one is Target => 'compose' in one),
      unreachable: found.filter((one): one is Unreachable => !('compose' in one)),
    };
  }

  private fromEntry(
    task: StepTask,
    content: PushContent,
    { entry, key, integration }: ServedEntry,
  ): Target[] | Unreachable {
    const { providerId } = entry;
    const chosen = textsAt(channelOverrides(overridesOf(task), providerId), 'deviceTokens');
    const tokens = chosen.length > 0 ? chosen : (entry.credentials.deviceTokens ?? []);
    if (tokens.length === 0) {
      const error = `The subscriber has no device token for '${providerId}'.`;
      const detail = DETAIL.pushMissingDeviceTokens;
      return { key, detail, providerId, reason: 'no_address', error, isMissing: true, raw: { providerId } };
    }
    if (integration === undefined) {
      const error = `No active integration of '${providerId}' is there to send with.`;
      const raw = { providerId, reason: error };
      return { key, detail: DETAIL.noActiveIntegration, providerId, reason: 'no_active_integration', error, raw };
    }
    return groups(key, providerId, tokens).map(([own, target]) =>
      targetOf(task, content, { entry, key: own, integration }, target),
    );
  }
}

function targetOf(
  task: StepTask,
  { title, text, replaces }: PushContent,
  { entry, key, integration }: Served,
  target: readonly string[],
): Target {
  const { run } = task;
  const answers = offeredAnswers(task);
  const compose = (id: string): PushMessage => {
    const message: PushMessage = {
      channel: 'push',
      id,
      target,
      title,
      content: text,
      payload: run.event.payload,
      overrides: providerOverrides(overridesOf(task), 'push', entry.providerId),
      subscriber: subscriberView(run),
      step: stepView(run),
      ...(replaces !== undefined && { replaces }),
      ...(answers && { answers }),
    };
    noteNotSent(task, entry.providerId, message);
    return message;
  };
  return {
    key,
    integrations: [integration],
    record: { deviceTokens: [...target] },
    compose: (_integration, id) => compose(id),
  };
}

/** The tokens of an entry that share an outcome, each group with its key: all of them, or each token for itself. */
function groups(key: string, providerId: string, tokens: readonly string[]): [string, readonly string[]][] {
  if (findProvider(providerId, 'push')?.supports.perToken !== true) return [[key, tokens]];
  return unique(tokens).map((token) => {
    const digest = createHash('sha1').update(token).digest('base64url').slice(0, 12);
    return [`${key}:${digest}`, [token]];
  });
}
