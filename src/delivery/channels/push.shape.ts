import { Inject, Injectable } from '@nestjs/common';
import type { PushMessage } from '#libs/channels';
import type { Renderer } from '#libs/templates';
import { DETAIL } from '../../execution-details/index.js';
import { RENDERER } from '../delivery.tokens.js';
import { channelOverrides } from '../run/overrides-of.js';
import { stepView, subscriberView, templateVariables } from '../run/payload-of.js';
import type { RunTemplate } from '../run/run-workflow.js';
import type { StepTask } from '../steps/step-handler.js';
import { ChannelEntries, type ServedEntry } from './channel-entries.js';
import type { Addresses, ChannelShape, RenderedContent, Target, Unreachable } from './channel-shape.js';
import { textAt, textsAt } from './override-values.js';

interface PushContent extends RenderedContent {
  readonly title: string;
  readonly text: string;
}

/** Push: each provider entry of the subscriber has its own outcome (delivery-behaviour 4.7). */
@Injectable()
export class PushShape implements ChannelShape<PushContent> {
  readonly channel = 'push' as const;
  readonly errorId = 'unexpected_push_error';
  readonly allFailed = DETAIL.notificationError;
  readonly namesProvider = true;

  constructor(
    private readonly entries: ChannelEntries,
    @Inject(RENDERER) private readonly renderer: Renderer,
  ) {}

  render({ run }: StepTask, template: RunTemplate): Promise<PushContent> {
    const variables = templateVariables(run);
    const render = (source: unknown): string =>
      typeof source === 'string' ? this.renderer.render(source, variables, { escape: false }) : '';
    const over = channelOverrides(run.event.overrides, 'push');
    const title = textAt(over, 'title') ?? render(template.title);
    const text = textAt(over, 'content') ?? render(template.content);
    const record = { title, content: text, payload: run.event.payload, overrides: run.event.overrides };
    return Promise.resolve({ title, text, record });
  }

  async address(task: StepTask, content: PushContent): Promise<Addresses> {
    const served = await this.entries.find(task, 'push');
    if (served.length === 0) {
      const error = 'The subscriber has no push channel.';
      return {
        targets: [],
        unreachable: [{ key: '', detail: DETAIL.noActiveChannel, reason: 'no_channel', error }],
      };
    }
    const found = served.map((entry) => this.fromEntry(task, content, entry));
    return {
      targets: found.filter((one): one is Target => 'compose' in one),
      unreachable: found.filter((one): one is Unreachable => !('compose' in one)),
    };
  }

  private fromEntry(
    { run }: StepTask,
    content: PushContent,
    { entry, key, integration }: ServedEntry,
  ): Target | Unreachable {
    const { providerId } = entry;
    const chosen = textsAt(channelOverrides(run.event.overrides, providerId), 'deviceTokens');
    const tokens = chosen.length > 0 ? chosen : (entry.credentials.deviceTokens ?? []);
    if (tokens.length === 0) {
      const error = `The subscriber has no device token for '${providerId}'.`;
      const detail = DETAIL.pushMissingDeviceTokens;
      return { key, detail, providerId, reason: 'no_address', error, raw: { providerId } };
    }
    if (integration === undefined) {
      const error = `No active integration of '${providerId}' is there to send with.`;
      const raw = { providerId, reason: error };
      return { key, detail: DETAIL.noActiveIntegration, providerId, reason: 'no_active_integration', error, raw };
    }
    return {
      key,
      integrations: [integration],
      record: { deviceTokens: [...tokens] },
      compose: (_integration, id): PushMessage => ({
        channel: 'push',
        id,
        target: tokens,
        title: content.title,
        content: content.text,
        payload: run.event.payload,
        overrides: channelOverrides(run.event.overrides, 'push', providerId),
        subscriber: subscriberView(run),
        step: stepView(run),
      }),
    };
  }
}
