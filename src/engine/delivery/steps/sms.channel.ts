import { Injectable } from '@nestjs/common';
import { DETAIL } from '../../execution-details/index.js';
import { type ActiveIntegration, composerOf } from '../../../management/integrations/index.js';
import type { RunTemplate } from '../records/workflow-version.js';
import type { StepContent, StepTask } from '../run/step-handler.js';
import { isOnePhone } from './addresses.js';
import { IntegrationRoutes, noIntegration } from './integration-routes.js';
import { channelOverrides, recordAt, textAt } from './overrides.js';
import { type Addresses, type ProviderChannel, StepFailure } from './provider-channel.js';
import { MessageRendering } from './message-rendering.js';
import { renderText, type TextContent } from './render-text.js';
import { noteSuppressed, SuppressionGate } from './suppression-gate.js';

const NO_PHONE = 'Subscriber does not have active phone';

@Injectable()
export class SmsChannel implements ProviderChannel<TextContent> {
  readonly channel = 'sms' as const;
  readonly errorId = 'unexpected_sms_error';
  readonly namesProvider = false;

  constructor(
    private readonly routes: IntegrationRoutes,
    private readonly rendering: MessageRendering,
    private readonly suppressed: SuppressionGate,
  ) {}

  render(task: StepTask, template: RunTemplate): Promise<TextContent> {
    return renderText(this.rendering, 'sms', task, template);
  }

  contentOf({ text }: TextContent): StepContent {
    return { content: text };
  }

  shown({ run }: StepTask, { providerId }: ActiveIntegration): { readonly content: string } | undefined {
    const { overrides } = run.event;
    const content = textAt(channelOverrides(overrides, 'sms', providerId), 'content');
    return content !== undefined && Object.hasOwn(overrides, providerId) ? { content } : undefined;
  }

  async address(task: StepTask, { text }: TextContent): Promise<Addresses> {
    const { run } = task;
    const integrations = await this.routes.choose(task, 'sms');
    if (integrations.length === 0) {
      const error = noIntegration(task, 'sms');
      return {
        targets: [],
        unreachable: [{ key: '', detail: DETAIL.noActiveIntegration, reason: 'no_active_integration', error }],
      };
    }
    const own = phoneOf(task);
    const reason = own === undefined ? undefined : await this.suppressed.reasonFor(task, 'sms', own);
    const phone = reason === undefined ? own : undefined;
    if (phone === undefined) {
      const detail = DETAIL.noChannelDetails;
      const message = { errorId: 'no_subscriber_phone' };
      const isBad = own === undefined && run.facts.subscriber.badAddresses.sms !== undefined;
      if (isBad) noteSuppressed(task, 'sms');
      const isMissing = !isBad && reason === undefined;
      const error = reason === undefined ? NO_PHONE : `The phone number is suppressed: ${reason}`;
      return {
        targets: [],
        unreachable: [{ key: '', detail, reason: 'no_address', error, isMissing, message, raw: { error } }],
      };
    }
    checkPhone(phone, 'The phone number of the recipient');
    for (const { providerId } of integrations.map(composerOf)) {
      const to = textAt(channelOverrides(run.event.overrides, 'sms', providerId), 'to');
      if (to !== undefined) checkPhone(to, 'overrides.sms.to');
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

/** @throws {StepFailure} when a gateway could take it for several numbers */
function checkPhone(phone: string, place: string): void {
  if (isOnePhone(phone)) return;
  throw new StepFailure(DETAIL.noChannelDetails, 'invalid_address', `${place} is not one phone number.`);
}

/** The number of the payload wins; a suppressed number of the subscriber is not used, whoever names it. */
function phoneOf({ run }: StepTask): string | undefined {
  const { subscriber } = run.facts;
  const given = run.event.payload['phone'];
  const phone = typeof given === 'string' && given.trim() !== '' ? given.trim() : subscriber.phone || undefined;
  return subscriber.badAddresses.sms !== undefined && phone === subscriber.phone ? undefined : phone;
}
