import { createHash, createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { OutboundHttp } from '#libs/channels';
import { Clock } from '#libs/common';
import {
  type Condition,
  type ConditionGroup,
  type ConditionResult,
  ConditionWebhookError,
  evaluateConditions,
  type PreviousStepState,
} from '#libs/conditions';
import { AppConfig } from '#libs/config';
import { SecretUnreadableError, signedHeaders } from '#libs/secrets';
import { Rendering } from '#libs/templates';
import { ApiKeysService } from '../../auth/index.js';
import { ConditionSecretsService } from '../../condition-secrets/index.js';
import { messageIdFor, type MessageState, MessagesService } from '../../messages/index.js';
import type { RunStep } from '../records/workflow-version.js';
import { environmentOf, type Run, tenantOf } from '../run/run.js';
import type { StepTask } from '../run/step-handler.js';
import { conditionVariables, subscriberView } from './template-variables.js';

const TIMEOUT_MS = 10_000;
/** Hex digits of the webhook's address in the id of a request. */
const ADDRESS_DIGITS = 16;

/** Asks the webhook of a condition. */
@Injectable()
export class ConditionWebhook {
  private readonly sendsLegacyHeader: boolean;

  constructor(
    private readonly http: OutboundHttp,
    private readonly apiKeys: ApiKeysService,
    private readonly secrets: ConditionSecretsService,
    private readonly clock: Clock,
    config: AppConfig,
  ) {
    this.sendsLegacyHeader = config.get('LEGACY_HMAC_HEADER');
  }

  /** The JSON that the webhook answers. @throws {ConditionWebhookError} when there is none */
  async ask({ webhookUrl }: Condition, run: Run, step: RunStep): Promise<unknown> {
    if (webhookUrl === undefined) throw new ConditionWebhookError('The condition names no webhookUrl.');
    const body = JSON.stringify({
      subscriber: subscriberView(run),
      payload: run.event.payload,
      identifier: run.workflow.identifier,
      channel: step.type,
    });
    const response = await this.http.request({
      url: webhookUrl,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(await this.proof(requestId(webhookUrl, run, step), body, run)),
        ...(this.sendsLegacyHeader && (await this.legacyHeader(run.event._environmentId.toHexString()))),
      },
      body,
      timeoutMs: TIMEOUT_MS,
    });
    if (response.status < 200 || response.status > 299) {
      throw new ConditionWebhookError(`The webhook answered with status ${response.status}.`);
    }
    const reply = response.json();
    if (reply === undefined) throw new ConditionWebhookError('The webhook did not answer with JSON.');
    return reply;
  }

  private async proof(id: string, body: string, run: Run): Promise<Record<string, string>> {
    try {
      const secrets = await this.secrets.signingSecrets(tenantOf(run.event));
      return signedHeaders({ id, timestamp: Math.floor(this.clock.now().getTime() / 1_000), body }, secrets);
    } catch (error) {
      if (error instanceof SecretUnreadableError) throw new ConditionWebhookError(error.message);
      throw error;
    }
  }

  /** Covers neither body nor time: one receiver can forge requests to another with it. */
  private async legacyHeader(environmentId: string): Promise<Record<string, string>> {
    const first = (await this.apiKeys.reveal(environmentId)).find(({ key }) => key !== '');
    if (first === undefined) return {};
    return { 'nv-hmac-256': createHmac('sha256', first.key).update(environmentId).digest('hex') };
  }
}

/** The same for each repetition of a request. */
function requestId(webhookUrl: string, { record }: Run, { _id }: RunStep): string {
  const address = createHash('sha256').update(webhookUrl).digest('hex').slice(0, ADDRESS_DIGITS);
  return `${record._id.toHexString()}_${_id.toHexString()}_${address}`;
}

const NOTHING_SENT: PreviousStepState = { exists: false, seen: false, read: false, opened: false };

/** Evaluates condition groups for a step: supplies their variables, and asks webhooks and earlier steps. */
@Injectable()
export class ConditionChecker {
  constructor(
    private readonly rendering: Rendering,
    private readonly messages: MessagesService,
    private readonly webhook: ConditionWebhook,
  ) {}

  /** @throws {ConditionWebhookError} which may pass @throws {ConditionTemplateError} which does not */
  check(groups: readonly ConditionGroup[], { run, step, now }: StepTask): Promise<ConditionResult> {
    const variables = conditionVariables(run);
    return evaluateConditions(groups, {
      variables,
      now,
      renderValue: (template) => this.rendering.text(template, variables, environmentOf(run), false),
      webhook: (condition) => this.webhook.ask(condition, run, step),
      previousStep: (uuid) => this.previousStep(run, uuid),
    });
  }

  private async previousStep(run: Run, uuid: string): Promise<PreviousStepState> {
    const state = run.record.steps[run.workflow.steps.findIndex((step) => step.uuid === uuid)];
    if (state === undefined) return NOTHING_SENT;
    // A step with several targets has several messages, whose ids name the target.
    const targets = state.targets?.map(({ key }) => key) ?? [''];
    const ids = targets.map((target) => messageIdFor({ notificationId: run.record._id, jobId: state._id, target }));
    const names = ids.map((id) => id.toHexString());
    const stored = await this.messages.statesOf(tenantOf(run.event), names);
    const fresh = unwritten(run);
    const found = names.flatMap((name) => stored.get(name) ?? fresh.get(name) ?? []);
    return {
      exists: found.length > 0,
      seen: found.some(({ seen }) => seen),
      read: found.some(({ read }) => read),
      opened: found.some(({ status }) => status === 'opened' || status === 'clicked'),
    };
  }
}

/** Messages of this pass, which are stored together with what comes after them: no subscriber has seen them yet. */
function unwritten({ effects }: Run): Map<string, MessageState> {
  return new Map(
    effects.messages.map((message) => [
      message._id.toHexString(),
      { seen: false, read: false, status: message.status },
    ]),
  );
}
