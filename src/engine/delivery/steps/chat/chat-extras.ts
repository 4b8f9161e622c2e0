import { Injectable } from '@nestjs/common';
import { ChannelRegistry, type ChatMessage, findProvider, ProviderError } from '#libs/channels';
import { Rendering, replaceTexts, TemplateError, visitTexts } from '#libs/templates';
import { DETAIL } from '../../../execution-details/index.js';
import { SentMessages } from '../../../messages/store/index.js';
import { type ActiveIntegration, templateOf } from '../../../../channels/integrations/index.js';
import { environmentOf } from '../../run/run.js';
import type { StepTask } from '../../run/step-handler.js';
import { offeredAnswers } from '../offered-answers.js';
import { channelOverrides, overridesOf, textAt } from '../overrides.js';
import { templateVariables } from '../template-variables.js';

type Extras = Pick<ChatMessage, 'rendered' | 'replaces' | 'replyTo' | 'buttons' | 'answerUrl'>;

/** What some chat messages have beyond their text: templates of the integration, earlier messages they belong to, and answers to choose. */
@Injectable()
export class ChatExtras {
  constructor(
    private readonly rendering: Rendering,
    private readonly sent: SentMessages,
    private readonly channels: ChannelRegistry,
  ) {}

  /**
   * @param target key of the subscriber's entry
   * @throws {ProviderError} when a template of the integration cannot be rendered
   */
  async of(task: StepTask, target: string, integration: ActiveIntegration, message: ChatMessage): Promise<Extras> {
    return {
      ...(await this.rendered(task, integration, message)),
      ...(await this.earlier(task, target, integration)),
      ...this.answers(task, integration, message),
    };
  }

  /** Of a question: its page, and a button for each answer where Herald hears of it. */
  private answers(
    task: StepTask,
    { id, providerId, credentials }: ActiveIntegration,
    message: ChatMessage,
  ): Pick<Extras, 'buttons' | 'answerUrl'> {
    const offered = offeredAnswers(task);
    const { facts, record } = task.run;
    const { links } = facts;
    if (offered === undefined || links === undefined) return {};
    const { questionId, url, options } = offered;
    const isHeard = this.channels.get('chat', providerId)?.buttons?.areHeard(credentials, message) === true;
    if (!isHeard || options.length === 0) return { answerUrl: url };
    const subscriberId = record._subscriberId.toHexString();
    const tokenOf = (option: number): string => links.buttonOf({ questionId, subscriberId, option }, id);
    const buttons = options.map(({ label }, option) => ({ label, token: tokenOf(option) }));
    return { answerUrl: url, buttons };
  }

  private async rendered(
    { run }: StepTask,
    { providerId, credentials }: ActiveIntegration,
    { id, content, severity, subscriberCredentials }: ChatMessage,
  ): Promise<Pick<Extras, 'rendered'>> {
    const templates = findProvider(providerId, 'chat')?.credentials.filter(({ template }) => template === true) ?? [];
    if (templates.length === 0) return {};
    const given = Object.fromEntries(templates.map(({ key }) => [key, templateOf(credentials[key])]));
    const message = { id, content, severity, channel: subscriberCredentials?.channel };
    try {
      const rendered = await this.render(given, { ...templateVariables(run), message }, environmentOf(run));
      return { rendered };
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      throw new ProviderError(`A template of the integration cannot be rendered: ${error.message}.`, {
        code: 'credentials_incomplete',
        retryable: false,
      });
    }
  }

  private async render(
    templates: Record<string, unknown>,
    variables: Record<string, unknown>,
    environment: string,
  ): Promise<Record<string, unknown>> {
    const texts = new Set<string>();
    visitTexts(templates, [], (text) => void (text.includes('{{') && texts.add(text)));
    const sources = [...texts].map((source) => ({ source, as: 'text' as const }));
    const rendered = await this.rendering.texts(sources, variables, environment);
    const byText = new Map([...texts].map((text, place) => [text, rendered[place] ?? '']));
    return replaceTexts(templates, (text) => byText.get(text) ?? text) as Record<string, unknown>;
  }

  private async earlier(
    task: StepTask,
    target: string,
    { providerId }: ActiveIntegration,
  ): Promise<Pick<Extras, 'replaces' | 'replyTo'>> {
    const { run, recorder } = task;
    const over = channelOverrides(overridesOf(task), 'chat');
    const supports = findProvider(providerId, 'chat')?.supports;
    const asked = [
      ['replaces', textAt(over, 'replaces'), supports?.replaces === true],
      ['replyTo', textAt(over, 'replyTo'), supports?.threads === true],
    ] as const;
    const found: Partial<Record<'replaces' | 'replyTo', string>> = {};
    for (const [kind, transactionId, isPossible] of asked) {
      if (transactionId === undefined) continue;
      const id = isPossible ? await this.sent.identifierOf(run.record, transactionId, target) : undefined;
      if (id !== undefined) found[kind] = id;
      else
        recorder.note(DETAIL.sentAsNew, { providerId, raw: { [kind]: transactionId, reason: reasonOf(isPossible) } });
    }
    return found;
  }
}

function reasonOf(isPossible: boolean): string {
  return isPossible
    ? 'No message of that transaction went to this address.'
    : 'The provider can neither change nor answer earlier messages.';
}
