import { Injectable } from '@nestjs/common';
import { OnDomainEvent } from '#libs/common';
import { AppLogger } from '#libs/http-kit';
import { SUPPRESSION_CHANGES } from '#libs/telemetry';
import { PreferenceChanged } from '../preferences/index.js';
import { AddressSuppressed } from '../../audience/subscribers/index.js';
import { AddressListed, SuppressionLifted } from './suppressions.events.js';

/** What the log and the metrics say about the suppression list. */
@Injectable()
export class SuppressionTelemetry {
  constructor(private readonly logger: AppLogger) {}

  @OnDomainEvent(AddressSuppressed)
  onSuppressed({ suppressed: { kind } }: AddressSuppressed): void {
    SUPPRESSION_CHANGES.add({ kind, change: 'added' });
  }

  @OnDomainEvent(AddressListed)
  onListed({ suppression: { kind } }: AddressListed): void {
    SUPPRESSION_CHANGES.add({ kind, change: 'added' });
  }

  @OnDomainEvent(PreferenceChanged)
  onUnsubscribed({ change: { enabled, via } }: PreferenceChanged): void {
    const isByLink = via === 'one-click' || via === 'page';
    if (isByLink && !enabled) SUPPRESSION_CHANGES.add({ kind: 'unsubscribe', change: 'added' });
  }

  @OnDomainEvent(SuppressionLifted)
  onLifted({ tenant: { apiKeyId }, suppression: { id, kind, channel }, reason }: SuppressionLifted): void {
    SUPPRESSION_CHANGES.add({ kind, change: 'lifted' });
    this.logger.event('info', 'A suppression was lifted', { id, kind, channel, reason, apiKeyId });
  }
}
