import { Injectable } from '@nestjs/common';
import { OutboundHttp } from '#libs/channels';
import { Clock } from '#libs/common';
import { AppConfig } from '#libs/config';
import { signedHeaders } from '#libs/secrets';
import { WEBHOOK_CALLS } from '#libs/telemetry';
import { type ActiveEndpoint, EndpointDirectory } from './endpoint-directory.js';
import { type AttemptPolicy, type AttemptResult, judgeAnswer, judgeFailure } from './webhook-attempt.js';
import type { WebhookDelivery } from './webhook-delivery.schema.js';
import type { WebhookEventResponse } from './webhook-event.response.js';
import { AUDIT_RECORDED } from './webhook-events.js';

@Injectable()
export class WebhookSender {
  private readonly policy: AttemptPolicy;
  private readonly timeoutMs: number;

  constructor(
    private readonly directory: EndpointDirectory,
    private readonly http: OutboundHttp,
    private readonly clock: Clock,
    config: AppConfig,
  ) {
    this.policy = {
      maxAttempts: config.get('WEBHOOK_MAX_ATTEMPTS'),
      baseMs: config.get('WEBHOOK_RETRY_BASE_MS'),
      capMs: config.get('WEBHOOK_RETRY_MAX_MS'),
    };
    this.timeoutMs = config.get('WEBHOOK_TIMEOUT_MS');
  }

  async send(row: WebhookDelivery): Promise<AttemptResult> {
    const endpoint = await this.directory.find(row._environmentId.toHexString(), row._endpointId.toHexString());
    if (endpoint === undefined) return { kind: 'given up', error: 'The webhook is inactive or deleted.' };
    // Whoever may change such a webhook need not be allowed to read the audit log.
    if (row.type === AUDIT_RECORDED && !endpoint.events.has(row.type)) {
      return { kind: 'given up', error: `The webhook no longer hears ${AUDIT_RECORDED}.` };
    }
    const startedAt = performance.now();
    const result = await this.attempt(row, endpoint);
    WEBHOOK_CALLS.observeMs({ outcome: result.kind }, performance.now() - startedAt);
    return result;
  }

  private async attempt(row: WebhookDelivery, endpoint: ActiveEndpoint): Promise<AttemptResult> {
    const attempt = row.attempt + 1;
    try {
      const answer = await this.http.request(this.requestOf(row, endpoint));
      return judgeAnswer(answer, attempt, this.policy, this.clock.now());
    } catch (error) {
      return judgeFailure(error, attempt, this.policy);
    }
  }

  private requestOf(row: WebhookDelivery, endpoint: ActiveEndpoint): Parameters<OutboundHttp['request']>[0] {
    const now = this.clock.now();
    const body = bodyOf(row);
    const signed = { id: row._id.toHexString(), timestamp: Math.floor(now.getTime() / 1_000), body };
    return {
      url: endpoint.url,
      method: 'POST',
      body,
      timeoutMs: this.timeoutMs,
      cutsBody: true,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Herald-Webhooks/1',
        ...signedHeaders(signed, this.directory.secretsOf(endpoint, now)),
      },
    };
  }
}

/** Made only of stored values, so that every attempt sends the same bytes. */
function bodyOf(row: WebhookDelivery): string {
  return JSON.stringify({
    id: row._id.toHexString(),
    type: row.type,
    createdAt: row.occurredAt.toISOString(),
    environmentId: row._environmentId.toHexString(),
    data: row.data,
  } satisfies Record<keyof WebhookEventResponse, unknown>);
}
