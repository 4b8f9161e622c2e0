import { Injectable } from '@nestjs/common';
import type { ProviderError } from '#libs/channels';
import { CLOCK_SKEW_MS } from '#libs/common';
import { AppConfig } from '#libs/config';
import { MESSAGES_HELD, PROVIDER_OUTAGES } from '#libs/telemetry';
import { type ActiveIntegration, IntegrationHealth, type Outage } from '../../../channels/integrations/index.js';
import { HeldBack } from './held-back.js';

export type Guarded = Pick<ActiveIntegration, 'id' | 'channel' | 'providerId' | 'outage'>;

/** What a call says of a provider that is down, whatever the message. */
const DOWN: ReadonlySet<string> = new Set(['unavailable', 'unreachable', 'timeout']);
/** Nothing was asked, or nothing was answered: it says nothing of the provider. */
const SILENT: ReadonlySet<string> = new Set([
  'bad_answer',
  'credentials_incomplete',
  'credentials_unreadable',
  'interrupted',
  'message_incomplete',
  'provider_not_registered',
  'unexpected',
  'url_not_allowed',
]);
/** The time between probes doubles up to this. */
const LONGEST_OPEN_MS = 300_000;
/** Messages come back one after the other. */
const SPREAD_MS = 50;
/** Another process has been faster, and its change is read then. */
const SOON_MS = 1_000;

interface Known {
  /** Different messages that failed since the provider last answered. */
  readonly failed: Set<string>;
  /** As this process last wrote or read it; undefined: the provider is up. */
  outage: Outage | undefined;
  /** When this process changed it; older reads do not count. */
  changedAt: number;
  promised: number;
}

/** Reads of integrations are at most this old. */
const READ_AGE_MS = 4_000;

/**
 * The circuit breakers of integrations. The failures are counted in each process, without the store; that an integration is
 * down is stored with it, and so known to all processes from the read that they make anyway.
 */
@Injectable()
export class IntegrationBreakers {
  private readonly threshold: number;
  private readonly openMs: number;
  private readonly known = new Map<string, Known>();

  constructor(
    private readonly health: IntegrationHealth,
    config: AppConfig,
  ) {
    this.threshold = config.get('DELIVERY_BREAKER_FAILURES');
    this.openMs = config.get('DELIVERY_BREAKER_OPEN_MS');
  }

  /** Whether messages pass it over, or wait: it is down, and its next probe is not due. */
  isOpen(integration: Guarded, now: Date): boolean {
    const outage = this.outageOf(integration, now);
    return outage !== undefined && this.isWaiting(outage, now);
  }

  /** @throws {HeldBack} while it is down, unless the message is the probe */
  async admit(environmentId: string, integration: Guarded, now: Date): Promise<void> {
    const outage = this.outageOf(integration, now);
    if (outage === undefined) return;
    if (this.isWaiting(outage, now)) throw this.heldBack(integration, outage.until, now);
    // Whoever moves the time on is the probe. If it does not come back, another one is due then.
    const probes = outage.probes + 1;
    const next = { ...outage, probes, until: new Date(now.getTime() + this.waitAfter(probes)) };
    const isProbe = await this.health.probe({ environmentId }, integration.id, outage, next);
    if (!isProbe) {
      this.known.delete(integration.id);
      throw this.heldBack(integration, new Date(now.getTime() + SOON_MS), now);
    }
    this.change(integration, next, now);
  }

  /** Call after each answer that accepts a message. */
  async succeeded(environmentId: string, integration: Guarded, now: Date): Promise<void> {
    const known = this.known.get(integration.id);
    known?.failed.clear();
    if (this.outageOf(integration, now) === undefined) return;
    this.change(integration, undefined, now);
    if (!(await this.health.recovered({ environmentId }, integration.id, now))) return;
    this.count(integration, 'closed');
  }

  /** @param messageId retries of one message count once: it may be what the provider fails at */
  async failed(
    environmentId: string,
    integration: Guarded,
    messageId: string,
    error: ProviderError,
    now: Date,
  ): Promise<void> {
    if (this.threshold === 0 || !isOfAccount(integration) || SILENT.has(error.code)) return;
    if (!DOWN.has(error.code)) {
      await this.succeeded(environmentId, integration, now);
      return;
    }
    const known = this.knownOf(integration);
    known.failed.add(messageId);
    if (known.failed.size < this.threshold || this.outageOf(integration, now) !== undefined) return;
    const { code, message } = error;
    const outage = { since: now, until: new Date(now.getTime() + this.waitAfter(0)), probes: 0, code, error: message };
    this.change(integration, outage, now);
    if (await this.health.down({ environmentId }, integration.id, outage)) this.count(integration, 'opened');
  }

  private outageOf(integration: Guarded, now: Date): Outage | undefined {
    const known = this.known.get(integration.id);
    const isNewer = known !== undefined && Math.abs(now.getTime() - known.changedAt) < READ_AGE_MS;
    return isNewer ? known.outage : integration.outage;
  }

  private change(integration: Guarded, outage: Outage | undefined, now: Date): void {
    const known = this.knownOf(integration);
    Object.assign(known, { outage, changedAt: now.getTime() });
    if (outage === undefined) known.failed.clear();
  }

  private knownOf({ id }: Guarded): Known {
    const known = this.known.get(id) ?? {
      failed: new Set<string>(),
      outage: undefined,
      changedAt: Number.NEGATIVE_INFINITY,
      promised: 0,
    };
    this.known.set(id, known);
    return known;
  }

  /** A wait that is longer than any is of before the clock was set back, and is over. */
  private isWaiting({ until, probes }: Outage, now: Date): boolean {
    const leftMs = until.getTime() - now.getTime();
    return leftMs > 0 && leftMs <= this.waitAfter(probes) + CLOCK_SKEW_MS;
  }

  private waitAfter(probes: number): number {
    return Math.min(this.openMs * 2 ** Math.min(probes, 20), Math.max(LONGEST_OPEN_MS, this.openMs));
  }

  private heldBack(integration: Guarded, until: Date, now: Date): HeldBack {
    const { channel, providerId: provider } = integration;
    MESSAGES_HELD.add({ channel, provider, reason: 'provider_down' });
    const known = this.knownOf(integration);
    const first = until.getTime();
    const isSameWait = known.promised >= first && known.promised < first + LONGEST_OPEN_MS;
    known.promised = isSameWait ? known.promised + SPREAD_MS : first;
    return new HeldBack('provider_down', known.promised - now.getTime());
  }

  private count({ channel, providerId: provider }: Guarded, change: 'opened' | 'closed'): void {
    PROVIDER_OUTAGES.add({ channel, provider, change });
  }
}

/** Whether its messages go to one service; the rooms of chats and the browsers of web push have services of their own. */
function isOfAccount({ channel, providerId }: Guarded): boolean {
  return channel !== 'chat' && providerId !== 'web-push';
}
