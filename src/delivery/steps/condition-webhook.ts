import { createHmac } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { OutboundHttp } from '#libs/channels';
import { type Condition, ConditionWebhookError } from '#libs/conditions';
import { ApiKeysService } from '../../auth/index.js';
import { OUTBOUND_HTTP } from '../delivery.tokens.js';
import { subscriberView } from '../run/payload-of.js';
import type { Run } from '../run/run.js';
import type { RunStep } from '../run/run-workflow.js';

const TIMEOUT_MS = 10_000;

/** Asks the webhook of a condition (delivery-behaviour 2.6). */
@Injectable()
export class ConditionWebhook {
  constructor(
    @Inject(OUTBOUND_HTTP) private readonly http: OutboundHttp,
    private readonly apiKeys: ApiKeysService,
  ) {}

  /** The JSON that the webhook answers. @throws {ConditionWebhookError} when there is none */
  async ask({ webhookUrl }: Condition, run: Run, step: RunStep): Promise<unknown> {
    if (webhookUrl === undefined) throw new ConditionWebhookError('The condition names no webhookUrl.');
    const environmentId = run.event._environmentId.toHexString();
    const [key] = await this.apiKeys.reveal(environmentId);
    const response = await this.http.request({
      url: webhookUrl,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(key && { 'nv-hmac-256': createHmac('sha256', key.key).update(environmentId).digest('hex') }),
      },
      body: JSON.stringify({
        subscriber: subscriberView(run),
        payload: run.event.payload,
        identifier: run.workflow.identifier,
        channel: step.type,
      }),
      timeoutMs: TIMEOUT_MS,
    });
    if (response.status < 200 || response.status > 299) {
      throw new ConditionWebhookError(`The webhook answered with status ${response.status}.`);
    }
    const reply = response.json();
    if (reply === undefined) throw new ConditionWebhookError('The webhook did not answer with JSON.');
    return reply;
  }
}
