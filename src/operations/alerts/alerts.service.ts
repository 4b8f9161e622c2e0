import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Caller, Clock, type TenantContext } from '#libs/common';
import { ValidationFailed } from '#libs/http-kit';
import { isDuplicateKey, type TenantModel } from '#libs/persistence';
import { TopicsService } from '../../audience/topics/index.js';
import { SubscribersService } from '../../audience/subscribers/index.js';
import { AlertWorker } from './alert-worker.js';
import { AlertWorkflows } from './alert-workflows.js';
import type { UpdateAlertsDto } from './alerts.dto.js';
import { type AlertSettingsResponse, type AlertsResponse, showAlerts, showSettings } from './alerts.response.js';
import { Alerts, type AlertSettings, DEFAULTS } from './alerts.schema.js';

@Injectable()
export class AlertsService {
  constructor(
    @InjectModel(Alerts.name) private readonly records: TenantModel<Alerts>,
    private readonly workflows: AlertWorkflows,
    private readonly topics: TopicsService,
    private readonly subscribers: SubscribersService,
    private readonly worker: AlertWorker,
    private readonly clock: Clock,
  ) {}

  async get(tenant: TenantContext): Promise<AlertsResponse> {
    const row = await this.records.one(tenant, {});
    const settings = row ?? DEFAULTS;
    const [members, workflows] = await Promise.all([
      this.topics.countMembers(tenant, [settings.topic]),
      this.workflows.ids(tenant),
    ]);
    const recipients = members.get(settings.topic) ?? 0;
    return showAlerts({ settings, row, recipients, workflows, now: this.clock.now() });
  }

  /** What the audit log compares. */
  async settings(tenant: TenantContext): Promise<AlertSettingsResponse> {
    return showSettings((await this.records.one(tenant, {})) ?? DEFAULTS);
  }

  /** @throws {ValidationFailed} for unknown subscribers @throws {EnvironmentReadOnly} where the workflows are not there */
  async update(caller: Caller, dto: UpdateAlertsDto): Promise<AlertsResponse> {
    const { subscribers, ...sent } = dto;
    const ids = [...new Set(subscribers ?? [])];
    await this.assertKnown(caller, ids);
    const chosen = chosenBy(sent);
    if (chosen.isOn === true) await this.workflows.ensure(caller);
    const { topic } = { ...(await this.settings(caller)), ...chosen };
    if (chosen.isOn === true || ids.length > 0) await this.topics.addSubscribers(caller, topic, ids);
    await this.write(caller, chosen);
    this.worker.wake();
    return this.get(caller);
  }

  private async assertKnown(tenant: TenantContext, ids: readonly string[]): Promise<void> {
    const known = await this.subscribers.findByExternalIds(tenant, [...ids]);
    const faults = ids.flatMap((id, place) =>
      known.has(id) ? [] : [`subscribers.${place} must be the id of a subscriber; create it with POST /v1/subscribers`],
    );
    if (faults.length > 0) throw new ValidationFailed(faults);
  }

  /** What a check under way has found is checked again: the version that it has read is gone. */
  private async write(caller: Caller, chosen: Partial<AlertSettings>): Promise<void> {
    const { organizationId: _organizationId, environmentId, apiKeyId, userId, scopes } = caller;
    const initial = Object.fromEntries(Object.entries(DEFAULTS).filter(([field]) => !(field in chosen)));
    const isOff = chosen.isOn === false;
    const update = {
      $set: {
        ...chosen,
        by: { apiKeyId, userId, scopes },
        ...(chosen.isOn === true && { wakeAt: this.clock.now() }),
        ...(isOff && { open: [], unsent: [] }),
      },
      $setOnInsert: { ...initial, _organizationId, ...(!isOff && { open: [], unsent: [] }) },
      $unset: { reportDueAt: 1, ...(chosen.isOn !== undefined && { lease: 1, fault: 1 }), ...(isOff && { wakeAt: 1 }) },
      $inc: { __v: 1 },
    } as const;
    const upsert = (): Promise<unknown> =>
      this.records.updateOne({ _environmentId: environmentId }, update, { upsert: true }).exec();
    await upsert().catch((error: unknown) => {
      // Another first change was faster.
      if (!isDuplicateKey(error)) throw error;
      return upsert();
    });
  }
}

/** @returns what changes; null is the default */
function chosenBy(sent: Omit<UpdateAlertsDto, 'subscribers'>): Partial<AlertSettings> {
  return Object.fromEntries(
    Object.entries(DEFAULTS).flatMap(([field, initial]) => {
      const value: unknown = sent[field as keyof typeof sent];
      return value === undefined ? [] : [[field, value ?? initial]];
    }),
  );
}
