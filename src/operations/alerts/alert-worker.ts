import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { mongo } from 'mongoose';
import { Clock, FailPoint, OnDomainEvent } from '#libs/common';
import { AppConfig } from '#libs/config';
import { type TenantModel, toObjectId } from '#libs/persistence';
import { Background, keyOf, LeasedWorker, WorkQueue } from '#libs/work';
import { IntegrationDown, IntegrationUp } from '../../channels/integrations/index.js';
import { AlertChecks } from './alert-checks.js';
import { type Changes, changesOf } from './alert-changes.js';
import { AlertSender, callerOf } from './alert-sender.js';
import { incidentTexts } from './alert-texts.js';
import { REPORT_WORKFLOW } from './alert-workflows.js';
import { type Alert, Alerts, ALERTS_SHARD_KEY } from './alerts.schema.js';
import { nextReport } from './report-times.js';

/** Between storing what is to be told and telling it. */
export const NOTED = new FailPoint<Alerts>('alerts.noted');

const EVERY_MS = 60_000;
/** An idle process looks this often, and at once where it notices an outage itself. */
const MIN_POLL_MS = 5_000;

/** Looks once a minute at each environment that has alerts, and at once when a provider is down or up again. */
@Injectable()
export class AlertWorker extends LeasedWorker<Alerts> {
  constructor(
    @InjectModel(Alerts.name) private readonly records: TenantModel<Alerts>,
    private readonly checks: AlertChecks,
    private readonly sender: AlertSender,
    private readonly background: Background,
    private readonly clock: Clock,
    config: AppConfig,
  ) {
    super({
      config,
      background,
      queue: new WorkQueue<Alerts>({
        collection: () => records.collection as unknown as mongo.Collection<Alerts>,
        groupBy: '_environmentId',
        shardKey: ALERTS_SHARD_KEY,
        clock,
        leaseMs: config.get('DELIVERY_LEASE_MS'),
      }),
      slots: 4,
      slotsOfOne: 1,
      groupOf: ({ _environmentId }) => _environmentId.toHexString(),
      minPollMs: MIN_POLL_MS,
    });
  }

  @OnDomainEvent(IntegrationDown)
  onDown({ owner }: IntegrationDown): void {
    this.checkNow(owner.environmentId);
  }

  @OnDomainEvent(IntegrationUp)
  onUp({ owner }: IntegrationUp): void {
    this.checkNow(owner.environmentId);
  }

  /** If it comes to nothing, the next check finds the same. */
  private checkNow(environmentId: string): void {
    this.background.start(async () => {
      const $set = { wakeAt: this.clock.now() };
      const idle = { _environmentId: toObjectId(environmentId), isOn: true, lease: { $exists: false } };
      if ((await this.records.collection.updateOne(idle, { $set })).matchedCount > 0) this.wake();
    });
  }

  protected async carryOut(row: Alerts): Promise<void> {
    const now = this.clock.now();
    const { before, found, away } = await this.checks.look(callerOf(row), row, now);
    const { open, alerts } = changesOf(row._id.toHexString(), before, found, now);
    const reports = await this.reports(row, open, now);
    const unsent = [...row.unsent, ...alerts, ...reports];
    const reportDueAt = reports.length > 0 ? nextReport(row, now) : (row.reportDueAt ?? nextReport(row, now));
    if (!(await this.save(row, { open, unsent, ...(reportDueAt && { reportDueAt }) }))) return;
    await NOTED.pass(row);
    const fault = await this.sender.send(row, unsent, away);
    const told = unsent.length === 0 ? {} : fault === undefined ? { $unset: { fault: 1 } } : { $set: { fault } };
    await this.settle(row, now, told);
  }

  private async reports(row: Alerts, open: Changes['open'], now: Date): Promise<Alert[]> {
    const { reportDueAt } = row;
    if (reportDueAt === undefined || reportDueAt > now) return [];
    const incidents = open.map((one) => ({ since: one.since.toISOString(), ...incidentTexts(one) }));
    const transactionId = `alert:${row._id.toHexString()}:report:${reportDueAt.getTime()}`;
    const payload = { ...(await this.checks.report(callerOf(row), now)), incidents };
    return [{ transactionId, workflow: REPORT_WORKFLOW, payload }];
  }

  /** @returns false where another worker has it, or somebody has changed the settings: the next check finds what is left */
  private async save(row: Alerts, $set: object): Promise<boolean> {
    const { matchedCount } = await this.records.collection.updateOne(heldBy(row), { $set });
    return matchedCount > 0;
  }

  private async settle(row: Alerts, now: Date, told: { $set?: object; $unset?: object }): Promise<void> {
    const $set = { ...told.$set, unsent: [], checkedAt: now, wakeAt: new Date(now.getTime() + EVERY_MS) };
    const $unset = { ...told.$unset, lease: 1 };
    await this.records.collection.updateOne(heldBy(row), { $set, $unset });
  }
}

const heldBy = (row: Alerts): mongo.Filter<mongo.Document> => ({
  ...keyOf(row, ALERTS_SHARD_KEY),
  lease: row.lease,
  __v: row.__v,
});
