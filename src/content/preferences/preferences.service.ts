import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Channel, CHANNELS } from '#libs/channels';
import {
  onDuplicateKey,
  ownedBy,
  partialUpdate,
  type TenantModel,
  toObjectId,
  withoutNullish,
} from '#libs/persistence';
import { Clock, EventBus, type TenantContext } from '#libs/common';
import type { WeeklySchedule } from '#libs/schedule';
import { isGiven } from '#libs/validation';
import { type ResolvedSubscriber, SubscribersService } from '../../audience/subscribers/index.js';
import { NotificationGroupsService } from '../notification-groups/index.js';
import { type ResolvedWorkflow, WorkflowNotFound, WorkflowsService } from '../workflows/index.js';
import {
  type GlobalPreferenceResponse,
  inGroups,
  showGlobalPreference,
  showWorkflowPreference,
  type WorkflowPreferenceResponse,
} from './preference.response.js';
import type { PreferenceLevel } from './preference.dto.js';
import {
  type ChannelPreference,
  effectivePreference,
  globalPreference,
  switchesBetween,
} from './effective-preference.js';
import { Preference, type PreferenceWay, type UnsubscribeWay } from './preference.schema.js';
import { NoChannelGiven, NoPreferenceGiven, PreferenceOfCriticalWorkflow } from './preferences.errors.js';
import { PreferenceChanged, ScheduleChanged } from './preferences.events.js';

export interface SubscriberPreferences {
  readonly global?: ChannelPreference;
  readonly workflow?: ChannelPreference;
}

/** Null unsets a value. */
interface GlobalPreferenceChange {
  readonly enabled?: boolean | null | undefined;
  readonly preferences?: readonly { readonly type: Channel; readonly enabled: boolean | null }[] | null | undefined;
  readonly schedule?: WeeklySchedule | null | undefined;
}

/** Null unsets a value. A channel without a type changes nothing. */
interface WorkflowPreferenceChange extends Partial<Pick<PreferenceChange, 'channels'>> {
  readonly enabled?: boolean | null | undefined;
  readonly channel?: { readonly type?: Channel; readonly enabled?: boolean | null } | null | undefined;
}

/** What is written of either. */
interface PreferenceChange extends Pick<GlobalPreferenceChange, 'enabled' | 'schedule'> {
  readonly channels: Readonly<Partial<Record<Channel, boolean | null>>>;
}

@Injectable()
export class PreferencesService {
  constructor(
    @InjectModel(Preference.name) private readonly preferences: TenantModel<Preference>,
    private readonly subscribers: SubscribersService,
    private readonly workflows: WorkflowsService,
    private readonly groups: NotificationGroupsService,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  async forSubscribers(
    tenant: Pick<TenantContext, 'environmentId'>,
    subscriberIds: readonly string[],
    workflowId: string,
  ): Promise<Map<string, SubscriberPreferences>> {
    if (subscriberIds.length === 0) return new Map();
    const rows = await this.preferences.list(
      tenant,
      {
        _subscriberId: { $in: subscriberIds.map(toObjectId) },
        _templateId: { $in: [null, toObjectId(workflowId)] },
      },
      { fields: ['_subscriberId', '_templateId', 'enabled', 'channels', 'schedule'] },
    );
    const found = new Map<string, SubscriberPreferences>();
    for (const row of rows) {
      const id = row._subscriberId.toHexString();
      found.set(id, { ...found.get(id), [row._templateId === null ? 'global' : 'workflow']: row });
    }
    return found;
  }

  async getGlobal(tenant: TenantContext, subscriberId: string): Promise<GlobalPreferenceResponse> {
    const subscriber = await this.subscribers.getForSession(tenant, subscriberId);
    return showGlobalPreference(globalPreference(await this.findOwn(tenant, subscriber._id, null)));
  }

  /**
   * As recipients see them: by group, and oldest workflow first. Without hidden workflows.
   * @param everyChannel also show channels without an active step
   */
  async list(tenant: TenantContext, subscriberId: string, everyChannel = false): Promise<WorkflowPreferenceResponse[]> {
    const subscriber = await this.subscribers.getForSession(tenant, subscriberId);
    const [active, own] = await Promise.all([
      this.workflows.listActive(tenant),
      this.preferences.list(tenant, { _subscriberId: toObjectId(subscriber._id) }),
    ]);
    const byWorkflow = new Map(own.map((row) => [row._templateId?.toHexString(), row]));
    const workflows = active.filter(({ hidden }) => hidden !== true);
    const groups = await this.groupsOf(tenant, workflows);
    return inGroups(
      workflows.map((workflow) =>
        showWorkflowPreference(
          workflow,
          effectiveIn(workflow, byWorkflow.get(workflow.id), everyChannel),
          groups.get(workflow.notificationGroupId),
        ),
      ),
    );
  }

  private groupsOf(
    tenant: TenantContext,
    workflows: readonly ResolvedWorkflow[],
  ): ReturnType<NotificationGroupsService['findByIds']> {
    const ids = new Set(workflows.map(({ notificationGroupId }) => notificationGroupId));
    return this.groups.findByIds(tenant, [...ids]);
  }

  async listOfLevel(
    tenant: TenantContext,
    subscriberId: string,
    level: PreferenceLevel,
    everyChannel?: boolean,
  ): Promise<(GlobalPreferenceResponse | WorkflowPreferenceResponse)[]> {
    return level === 'global'
      ? [await this.getGlobal(tenant, subscriberId)]
      : this.list(tenant, subscriberId, everyChannel);
  }

  /** @param via who is told of it in webhooks; absent where the caller tells them */
  async setGlobal(
    tenant: TenantContext,
    subscriberId: string,
    { enabled, preferences, schedule }: GlobalPreferenceChange,
    via?: PreferenceWay,
  ): Promise<GlobalPreferenceResponse> {
    if (enabled === undefined && !isGiven(preferences) && schedule === undefined) throw new NoPreferenceGiven();
    const subscriber = await this.subscribers.getForSession(tenant, subscriberId);
    const channels = Object.fromEntries((preferences ?? []).map(({ type, enabled: on }) => [type, on]));
    const { before, after } = await this.write(tenant, subscriber._id, null, { enabled, channels, schedule });
    if (schedule !== undefined) await this.events.publish(new ScheduleChanged(tenant, subscriber._id));
    const shown = globalPreference(after);
    if (via !== undefined) await this.tell(tenant, subscriber, switchesBetween(globalPreference(before), shown), via);
    return showGlobalPreference(shown);
  }

  /** @param via as for `setGlobal` */
  async setForWorkflow(
    tenant: TenantContext,
    subscriberId: string,
    workflowId: string,
    { enabled, channel, channels: several }: WorkflowPreferenceChange,
    via?: PreferenceWay,
  ): Promise<WorkflowPreferenceResponse> {
    if (enabled === undefined && !isGiven(channel) && several === undefined) throw new NoChannelGiven();
    const [subscriber, workflows] = await Promise.all([
      this.subscribers.getForSession(tenant, subscriberId),
      this.workflows.findByIds(tenant, [workflowId]),
    ]);
    const workflow = workflows.get(workflowId);
    if (workflow === undefined) throw new WorkflowNotFound(workflowId);
    // The pages of recipients show no switches of critical workflows.
    if (workflow.critical && via !== undefined) throw new PreferenceOfCriticalWorkflow();
    const { type, enabled: on } = channel ?? {};
    const channels = isGiven(type) && on !== undefined ? { ...several, [type]: on } : { ...several };
    const { before, after } = await this.write(tenant, subscriber._id, workflowId, { enabled, channels });
    if (via !== undefined) {
      const switches = switchesBetween(effectiveIn(workflow, before, false), effectiveIn(workflow, after, false));
      await this.tell(tenant, subscriber, switches, via, workflow);
    }
    const groups = await this.groupsOf(tenant, [workflow]);
    return showWorkflowPreference(
      workflow,
      effectiveIn(workflow, after, false),
      groups.get(workflow.notificationGroupId),
    );
  }

  private async tell(
    tenant: TenantContext,
    { _id: id, subscriberId }: Pick<ResolvedSubscriber, '_id' | 'subscriberId'>,
    switches: ReturnType<typeof switchesBetween>,
    via: PreferenceWay,
    workflow?: ResolvedWorkflow,
  ): Promise<void> {
    const at = this.clock.now();
    const about = workflow && { workflowId: workflow.id, workflowIdentifier: workflow.identifier };
    for (const one of switches) {
      await this.events.publish(new PreferenceChanged(tenant, { id, subscriberId }, { ...about, ...one, via }, at));
    }
  }

  /**
   * Switches a channel off as the recipient asks for it by a link. Repeating it changes nothing.
   * @param id of the subscriber's record
   * @param workflowId null: all workflows
   * @returns when it was switched off by a link, or undefined if it was off before in another way
   */
  async unsubscribe(
    tenant: TenantContext,
    id: string,
    workflowId: string | null,
    { channel, via, now }: { readonly channel: Channel; readonly via: UnsubscribeWay; readonly now: Date },
  ): Promise<Date | undefined> {
    const key = keyOf(tenant, id, workflowId);
    const change = (): Promise<unknown> =>
      this.preferences
        .updateOne(
          { ...key, [`channels.${channel}`]: { $ne: false } },
          {
            $set: {
              [`channels.${channel}`]: false,
              [`unsubscribed.${channel}`]: { at: now, via },
              unsubscribedAt: now,
            },
            $setOnInsert: ownedBy(tenant),
          },
          { upsert: true },
        )
        .exec();
    // A record that does not match has the channel off: the insert meets it. Two first writes meet in the same way.
    const again = onDuplicateKey(() => undefined);
    await change().catch(onDuplicateKey(() => change().catch(again)));
    return (await this.findOwn(tenant, id, workflowId))?.unsubscribed?.[channel]?.at;
  }

  /** All that was set for a subscriber. @param id of the subscriber's record */
  async ownOf(tenant: TenantContext, id: string): Promise<Map<string | null, ChannelPreference>> {
    const rows = await this.preferences.list(tenant, { _subscriberId: toObjectId(id) });
    return new Map(rows.map((row) => [row._templateId?.toHexString() ?? null, row]));
  }

  private findOwn(
    tenant: TenantContext,
    subscriberId: string,
    workflowId: string | null,
  ): Promise<Preference | undefined> {
    return this.preferences.one(tenant, {
      _subscriberId: toObjectId(subscriberId),
      _templateId: workflowId === null ? null : toObjectId(workflowId),
    });
  }

  /** Merges channel by channel in one atomic write; writes nothing without a change. */
  private async write(
    tenant: TenantContext,
    subscriberId: string,
    workflowId: string | null,
    { enabled, channels, schedule }: PreferenceChange,
  ): Promise<{ readonly before: ChannelPreference | undefined; readonly after: ChannelPreference | undefined }> {
    const change = partialUpdate({
      enabled,
      schedule,
      ...Object.fromEntries(Object.entries(channels).map(([channel, on]) => [`channels.${channel}`, on])),
      ...Object.fromEntries(
        Object.entries(channels).flatMap(([channel, on]) => (on === false ? [] : [[`unsubscribed.${channel}`, null]])),
      ),
    });
    if (Object.keys(change).length === 0) {
      const own = await this.findOwn(tenant, subscriberId, workflowId);
      return { before: own, after: own };
    }
    const upsert = (): Promise<Preference | null> =>
      this.preferences
        .findOneAndUpdate(
          keyOf(tenant, subscriberId, workflowId),
          { ...change, $setOnInsert: ownedBy(tenant) },
          { upsert: change.$set !== undefined, returnDocument: 'before' },
        )
        .lean()
        .exec();
    // If two first writes meet, the later one finds the record on its second attempt.
    const before = (await upsert().catch(onDuplicateKey(upsert))) ?? undefined;
    const after = {
      ...withoutNullish({
        enabled: enabled === undefined ? before?.enabled : enabled,
        schedule: schedule === undefined ? before?.schedule : schedule,
      }),
      channels: withoutNullish({ ...before?.channels, ...channels }),
    };
    return { before, after };
  }
}

function keyOf(
  { environmentId }: TenantContext,
  _subscriberId: string,
  _templateId: string | null,
): { _environmentId: string; _subscriberId: string; _templateId: string | null } {
  return { _environmentId: environmentId, _subscriberId, _templateId };
}

function effectiveIn(
  workflow: ResolvedWorkflow,
  subscriber: ChannelPreference | null | undefined,
  everyChannel: boolean,
): ReturnType<typeof effectivePreference> {
  const active = workflow.steps.filter((step) => step.active).map((step) => String(step.template.type));
  return effectivePreference({
    workflowChannels: everyChannel ? CHANNELS : active,
    workflow: workflow.preferenceSettings,
    subscriber: subscriber ?? undefined,
  });
}
