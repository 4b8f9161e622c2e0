import { createHash, createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { OutboundHttp } from '#libs/channels';
import { Clock } from '#libs/common';
import { type Condition, ConditionWebhookError } from '#libs/conditions';
import { AppConfig } from '#libs/config';
import { SecretUnreadableError, signedHeaders } from '#libs/secrets';
import { ApiKeysService } from '../../../platform/auth/index.js';
import { ConditionSecretsService } from '../../../platform/condition-secrets/index.js';
import type { RunStep } from '../records/workflow-version.js';
import { type Run, tenantOf } from '../run/run.js';
import { subscriberView } from './template-variables.js';

const TIMEOUT_MS = 10_000;
/** Hex digits of the webhook's address in the id of a request. */
const ADDRESS_DIGITS = 16;

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
