import type { OutboundMessage } from '#libs/channels';
import { TemplateError } from '#libs/templates';
import { type Detail, DETAIL } from '../../execution-details/index.js';
import type { ActiveIntegration } from '../../../channels/integrations/index.js';
import type { ResolvedChannel } from '../../../audience/subscribers/index.js';
import type { NewMessage } from '../../messages/store/index.js';
import type { RunTemplate } from '../records/workflow-version.js';
import { type StepContent, StepEnded, type StepTask } from '../run/step-handler.js';
import type { DetailText } from '../run/step-recorder.js';
import type { StepOutcome } from '../run/transitions.js';

export type MessageContentFields = Partial<
  Omit<
    NewMessage,
    | '_id'
    | '_organizationId'
    | '_environmentId'
    | '_notificationId'
    | '_jobId'
    | '_templateId'
    | '_subscriberId'
    | '_actorId'
    | 'transactionId'
    | 'templateIdentifier'
    | 'channel'
    | 'tags'
    | 'createdAt'
  >
>;

export interface Target {
  /** Identifies the target within the step, without secrets; empty where there is only one. */
  readonly key: string;
  readonly integrations: readonly ActiveIntegration[];
  readonly record: MessageContentFields;
  /** Chat: the subscriber's entry, where its own address is used. */
  readonly entry?: ResolvedChannel;
  /** What providers get. @param messageId 24 hex digits, the same on every attempt */
  compose(integration: ActiveIntegration, messageId: string): Promise<OutboundMessage> | OutboundMessage;
}

export interface Unreachable {
  readonly key: string;
  readonly detail: Detail;
  /** The provider of the entry, where the subscriber has one for each provider. */
  readonly providerId?: string;
  readonly reason: string;
  readonly error: string;
  /** There is no address, as opposed to one that cannot be used. */
  readonly isMissing?: boolean;
  readonly raw?: unknown;
  /** The message that records it, where the compatible system keeps one. */
  readonly message?: MessageContentFields & { readonly errorId: string };
}

export interface Addresses {
  readonly targets: readonly Target[];
  readonly unreachable: readonly Unreachable[];
}

export interface RenderedContent {
  readonly record: MessageContentFields;
}

/**
 * A channel that sends through providers: how its content is rendered, which addresses it has, and how its messages look.
 * Everything else is the same for all channels and lies in `ProviderStep`.
 */
export interface ProviderChannel<R extends RenderedContent = RenderedContent> {
  readonly channel: 'email' | 'sms' | 'chat' | 'push';
  readonly errorId: string;
  readonly allFailed?: Detail;
  /** Adds the provider to the details of messages, where several are sent. */
  readonly namesProvider: boolean;
  /** @throws {TemplateError} @throws {StepFailure} */
  render(task: StepTask, template: RunTemplate): Promise<R>;
  contentOf(rendered: R): StepContent;
  address(task: StepTask, content: R): Promise<Addresses>;
  /** What the message record shows instead when overrides of the integration's provider change what is sent. */
  shown?(task: StepTask, integration: ActiveIntegration): MessageContentFields | undefined;
}

export class StepFailure extends Error {
  constructor(
    readonly detail: DetailText,
    readonly reason: string,
    message: string,
  ) {
    super(message);
    this.name = 'StepFailure';
  }
}

/** @returns undefined for faults that are neither of the content, its variants nor the addresses */
export function contentFailure({ recorder }: StepTask, error: unknown): StepOutcome | undefined {
  if (error instanceof StepEnded && error.outcome.kind === 'failed') return error.outcome;
  const known =
    error instanceof TemplateError
      ? { detail: DETAIL.contentNotGenerated, reason: 'content', message: error.message }
      : error instanceof StepFailure
        ? error
        : undefined;
  if (known === undefined) return undefined;
  recorder.note(known.detail, { raw: { error: known.message } });
  return { kind: 'failed', reason: known.reason, error: known.message };
}
