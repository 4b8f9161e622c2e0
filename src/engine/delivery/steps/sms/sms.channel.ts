import { Injectable } from '@nestjs/common';
import { phoneNumber, type SmsMessage } from '#libs/channels';
import { DETAIL } from '../../../execution-details/index.js';
import { type ActiveIntegration, composerOf } from '../../../../channels/integrations/index.js';
import type { RunTemplate } from '../../records/workflow-version.js';
import type { StepContent, StepTask } from '../../run/step-handler.js';
import { IntegrationRoutes, noIntegration } from '../integration-routes.js';
import { channelOverrides, overridesOf, ownFields, recordAt, textAt } from '../overrides.js';
import { type Addresses, type ProviderChannel, StepFailure } from '../provider-channel.js';
import { MessageRendering } from '../message-rendering.js';
import { renderText, type TextContent } from '../render-text.js';
import { noteNotSent } from '../not-sent.js';
import { noteSuppressed, SuppressionGate } from '../suppression-gate.js';

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

  shown(task: StepTask, { providerId }: ActiveIntegration): { readonly content?: string; readonly phone?: string } {
    const overrides = overridesOf(task);
    if (!Object.hasOwn(overrides, providerId)) return {};
    const content = textAt(channelOverrides(overrides, 'sms', providerId), 'content');
    const phone = phoneOf(task, providerId);
    return { ...(content !== undefined && { content }), ...(phone !== undefined && { phone }) };
  }

  async address(task: StepTask, { text }: TextContent): Promise<Addresses> {
    const integrations = await this.routes.choose(task, 'sms');
    if (integrations.length === 0) {
      const error = noIntegration(task, 'sms');
      return {
        targets: [],
        unreachable: [{ key: '', detail: DETAIL.noActiveIntegration, reason: 'no_active_integration', error }],
      };
    }
    const phones = new Map(
      integrations.map(composerOf).map(({ providerId }) => [providerId, phoneOf(task, providerId)] as const),
    );
    const known = [...phones.values()].filter((phone) => phone !== undefined);
    const refused = await this.suppressed.of(task, 'sms', known);
    const left = integrations.filter((integration) => {
      const phone = phones.get(composerOf(integration).providerId);
      return phone !== undefined && refused(phone) === undefined;
    });
    const [first] = left;
    if (first === undefined) {
      const detail = DETAIL.noChannelDetails;
      const message = { errorId: 'no_subscriber_phone' };
      const [phone] = known;
      const isMissing = phone === undefined;
      if (!isMissing) noteSuppressed(task, 'sms');
      const error = isMissing ? NO_PHONE : `The phone number is suppressed: ${refused(phone) ?? ''}`;
      return {
        targets: [],
        unreachable: [{ key: '', detail, reason: 'no_address', error, isMissing, message, raw: { error } }],
      };
    }
    return {
      targets: [
        {
          key: '',
          integrations: left,
          record: { phone: phones.get(composerOf(first).providerId) ?? '' },
          compose: ({ credentials, providerId }, id) => {
            const over = channelOverrides(overridesOf(task), 'sms', providerId);
            const from = textAt(over, 'from') ?? textAt(credentials, 'from');
            const own = ownFields(overridesOf(task), 'sms', providerId);
            const customData =
              own || recordAt(over, 'customData') ? { ...recordAt(over, 'customData'), ...own } : undefined;
            const message: SmsMessage = {
              channel: 'sms',
              id,
              to: phoneNumber(phones.get(providerId) ?? '') ?? '',
              content: textAt(over, 'content') ?? text,
              ...(from !== undefined && { from }),
              ...(customData && { customData }),
            };
            noteNotSent(task, providerId, message);
            return message;
          },
        },
      ],
      unreachable: [],
    };
  }
}

/**
 * The number of the overrides wins, then that of the payload.
 * @throws {StepFailure} when a gateway could take it for several numbers, or for none
 */
function phoneOf(task: StepTask, providerId: string): string | undefined {
  const { event, facts } = task.run;
  const to = textAt(channelOverrides(overridesOf(task), 'sms', providerId), 'to');
  const given = event.payload['phone'];
  const phone = to ?? (typeof given === 'string' && given.trim() !== '' ? given.trim() : facts.subscriber.phone);
  if (phone === undefined || phone === '') return undefined;
  if (phoneNumber(phone) !== undefined) return phone;
  const place = to === undefined ? 'The phone number of the recipient' : 'overrides.sms.to';
  throw new StepFailure(DETAIL.noChannelDetails, 'invalid_address', `${place} is not one phone number.`);
}
