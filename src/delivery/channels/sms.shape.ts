import { Inject, Injectable } from '@nestjs/common';
import { type Renderer, TemplateError } from '#libs/templates';
import { DETAIL } from '../../execution-details/index.js';
import { RENDERER } from '../delivery.tokens.js';
import type { ActiveIntegration } from '../../integrations/index.js';
import { channelOverrides } from '../run/overrides-of.js';
import { templateVariables } from '../run/payload-of.js';
import type { RunTemplate } from '../run/run-workflow.js';
import type { StepTask } from '../steps/step-handler.js';
import type { Addresses, ChannelShape, RenderedContent } from './channel-shape.js';
import { IntegrationChooser, noIntegration } from './integration-chooser.js';
import { recordAt, textAt } from './override-values.js';

const NO_PHONE = 'Subscriber does not have active phone';

interface SmsContent extends RenderedContent {
  readonly text: string;
}

/** Text messages (delivery-behaviour 4.5). */
@Injectable()
export class SmsShape implements ChannelShape<SmsContent> {
  readonly channel = 'sms' as const;
  readonly errorId = 'unexpected_sms_error';
  readonly namesProvider = false;

  constructor(
    private readonly chooser: IntegrationChooser,
    @Inject(RENDERER) private readonly renderer: Renderer,
  ) {}

  render({ run }: StepTask, { content }: RunTemplate): Promise<SmsContent> {
    const source = typeof content === 'string' ? content : '';
    const rendered = this.renderer.render(source, templateVariables(run), { escape: false });
    const text = textAt(channelOverrides(run.event.overrides, 'sms'), 'content') ?? rendered;
    if (text.trim() === '') throw new TemplateError('the text message is empty');
    const record = { content: text, payload: run.event.payload, overrides: run.event.overrides };
    return Promise.resolve({ text, record });
  }

  shown({ run }: StepTask, { providerId }: ActiveIntegration): { readonly content: string } | undefined {
    const { overrides } = run.event;
    const content = textAt(channelOverrides(overrides, 'sms', providerId), 'content');
    return content !== undefined && Object.hasOwn(overrides, providerId) ? { content } : undefined;
  }

  async address(task: StepTask, { text }: SmsContent): Promise<Addresses> {
    const { run } = task;
    const integrations = await this.chooser.choose(task, 'sms');
    if (integrations.length === 0) {
      const error = noIntegration(task, 'sms');
      return {
        targets: [],
        unreachable: [{ key: '', detail: DETAIL.noActiveIntegration, reason: 'no_active_integration', error }],
      };
    }
    const phone = phoneOf(task);
    if (phone === undefined) {
      const message = { errorId: 'no_subscriber_phone' };
      return {
        targets: [],
        unreachable: [{ key: '', detail: DETAIL.noChannelDetails, reason: 'no_address', error: NO_PHONE, message }],
      };
    }
    return {
      targets: [
        {
          key: '',
          integrations,
          record: { phone },
          compose: ({ credentials, providerId }, id) => {
            const over = channelOverrides(run.event.overrides, 'sms', providerId);
            const from = textAt(over, 'from') ?? textAt(credentials, 'from');
            const customData = recordAt(over, 'customData');
            return {
              channel: 'sms',
              id,
              to: textAt(over, 'to') ?? phone,
              content: textAt(over, 'content') ?? text,
              ...(from !== undefined && { from }),
              ...(customData && { customData }),
            };
          },
        },
      ],
      unreachable: [],
    };
  }
}

function phoneOf({ run }: StepTask): string | undefined {
  const given = run.event.payload['phone'];
  if (typeof given === 'string' && given.trim() !== '') return given.trim();
  const { subscriber } = run.facts;
  return subscriber.badAddresses.sms === undefined ? subscriber.phone || undefined : undefined;
}
