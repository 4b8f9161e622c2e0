import { Injectable } from '@nestjs/common';
import type { Caller } from '#libs/common';
import { AppException } from '#libs/http-kit';
import { EventsService, parseRecipients, TriggerEventDto } from '../../engine/events/index.js';
import type { AwayChannels } from './alert-checks.js';
import type { Alert, Alerts } from './alerts.schema.js';

const FAULT_LENGTH = 1_000;

/** Triggers alerts as a client would. */
@Injectable()
export class AlertSender {
  constructor(private readonly events: EventsService) {}

  /** A refusal is an outcome, and is not repeated. @returns why one was refused @throws if the store is not available */
  async send(row: Alerts, alerts: readonly Alert[], away: AwayChannels): Promise<string | undefined> {
    let fault: string | undefined;
    for (const alert of alerts) fault = (await this.sendOne(row, alert, away)) ?? fault;
    return fault;
  }

  private async sendOne(row: Alerts, { transactionId, workflow, payload }: Alert, away: AwayChannels) {
    const event = new TriggerEventDto();
    event.name = workflow;
    event.to = parseRecipients([{ type: 'Topic', topicKey: row.topic }]);
    event.payload = { ...payload, away };
    event.transactionId = transactionId;
    try {
      const { status, hint } = await this.events.trigger(callerOf(row), event);
      return status === 'processed' ? undefined : (hint ?? status);
    } catch (error) {
      if (!(error instanceof AppException)) throw error;
      return [error.messages].flat().join('; ').slice(0, FAULT_LENGTH);
    }
  }
}

export function callerOf({ _organizationId, _environmentId, by }: Alerts): Caller {
  return { organizationId: _organizationId.toHexString(), environmentId: _environmentId.toHexString(), ...by };
}
