import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/common';
import { PreferencesService, type WorkflowPreferenceResponse } from '../../content/preferences/index.js';
import { SubscribersService } from '../../audience/subscribers/index.js';
import { faultPage } from './link-pages.js';
import type { Page } from './page-frame.js';
import { pageLanguage } from './page-texts.js';
import { type DatedChange, RecordedChanges } from './recorded-changes.js';
import { type Recipient, Recipients } from './recipient.js';
import { readSettings, type SettingsChange, type SwitchChange } from './settings-form.js';
import { renderSettings } from './settings-page.js';
import { categoriesOf, channelsOf, isOn, MAX_SHOWN, type RecipientSettings, toSchedule } from './settings-view.js';

/** The page on which recipients choose what reaches them, and how. */
@Injectable()
export class PreferencePageService {
  constructor(
    private readonly recipients: Recipients,
    private readonly preferences: PreferencesService,
    private readonly subscribers: SubscribersService,
    private readonly recorded: RecordedChanges,
    private readonly clock: Clock,
  ) {}

  async show(token: string, acceptedLanguages: string | undefined): Promise<Page> {
    const recipient = await this.recipients.find('preferences', token);
    if (typeof recipient === 'string') return faultPage(recipient, pageLanguage(undefined, acceptedLanguages));
    return this.page(recipient, acceptedLanguages, false);
  }

  /** @param read called only for a link that Herald made */
  async save(
    token: string,
    read: () => Promise<URLSearchParams>,
    acceptedLanguages: string | undefined,
  ): Promise<Page> {
    const recipient = await this.recipients.find('preferences', token);
    if (typeof recipient === 'string') return faultPage(recipient, pageLanguage(undefined, acceptedLanguages));
    const [form, settings] = await Promise.all([read(), this.settingsOf(recipient)]);
    const members = categoriesOf(settings.workflows).map(
      ({ key, workflows }) => [key, workflows.map(({ template }) => template._id)] as const,
    );
    const change = readSettings(form, settings, new Map(members));
    if (change === undefined) {
      return faultPage('badRequest', pageLanguage(recipient.subscriber.locale, acceptedLanguages));
    }
    await this.apply(recipient, settings, change);
    const after = await this.recipients.find('preferences', token);
    if (typeof after === 'string') return faultPage(after, pageLanguage(undefined, acceptedLanguages));
    return this.page(after, acceptedLanguages, true);
  }

  private async page(recipient: Recipient, acceptedLanguages: string | undefined, isSaved: boolean): Promise<Page> {
    const settings = await this.settingsOf(recipient);
    const language = pageLanguage(recipient.subscriber.locale, acceptedLanguages);
    return renderSettings(settings, language, recipient.branding, isSaved);
  }

  private async settingsOf({ tenant, subscriber }: Recipient): Promise<RecipientSettings> {
    const { subscriberId, locale, timezone } = subscriber;
    const [global, workflows] = await Promise.all([
      this.preferences.getGlobal(tenant, subscriberId),
      this.preferences.list(tenant, subscriberId),
    ]);
    const { enabled, channels, schedule } = global.preference;
    return {
      locale,
      timezone,
      channels: {
        in_app: enabled && channels.in_app === true,
        email: enabled && channels.email === true,
        sms: enabled && channels.sms === true,
        chat: enabled && channels.chat === true,
        push: enabled && channels.push === true,
      },
      workflows: workflows.filter((one) => channelsOf(one).length > 0).slice(0, MAX_SHOWN),
      schedule,
    };
  }

  /** Each part again is the same, so a form that is sent twice changes nothing more. */
  private async apply(recipient: Recipient, settings: RecipientSettings, change: SettingsChange): Promise<void> {
    const { tenant, subscriber } = recipient;
    const byId = new Map(settings.workflows.map((one) => [one.template._id, one]));
    const made: DatedChange[] = [];
    for (const one of change.switches) made.push(...(await this.switch(recipient, settings, byId, one)));
    if (change.schedule !== undefined) {
      await this.preferences.setGlobal(tenant, subscriber.subscriberId, { schedule: toSchedule(change.schedule) });
    }
    const { locale, timezone } = change;
    if (locale !== undefined || timezone !== undefined) {
      const profile = { ...(locale !== undefined && { locale }), ...(timezone !== undefined && { timezone }) };
      await this.subscribers.update(tenant, subscriber.subscriberId, profile);
    }
    await this.recorded.record(recipient, made);
  }

  private async switch(
    recipient: Recipient,
    settings: RecipientSettings,
    byId: ReadonlyMap<string, WorkflowPreferenceResponse>,
    { workflowId, channel, enabled }: SwitchChange,
  ): Promise<DatedChange[]> {
    const { tenant, subscriber } = recipient;
    const workflow = workflowId === null ? undefined : byId.get(workflowId);
    // A workflow that the page cannot have shown, or that has become critical since.
    if (workflowId !== null && (workflow === undefined || workflow.template.critical)) return [];
    const now = this.clock.now();
    const about =
      workflow === undefined
        ? {}
        : { workflowId: workflow.template._id, workflowIdentifier: workflow.template.triggers[0]?.identifier ?? '' };
    const change = { ...about, channel, enabled, via: 'page' as const };
    if (!enabled) {
      const at = await this.preferences.unsubscribe(tenant, subscriber._id, workflowId, { channel, via: 'page', now });
      return at === undefined ? [] : [{ change, at }];
    }
    if (workflow === undefined) await this.openChannel(recipient, settings, channel);
    else await this.openWorkflow(recipient, workflow, channel);
    return [{ change, at: now }];
  }

  /** If everything was off, the other channels stay off. */
  private async openChannel(
    { tenant, subscriber }: Recipient,
    { channels }: RecipientSettings,
    channel: SwitchChange['channel'],
  ): Promise<void> {
    const all = Object.entries(channels).map(([type, on]) => ({ type: type as typeof channel, enabled: on }));
    const rest = all.every((one) => !one.enabled) ? all.filter(({ type }) => type !== channel) : [];
    const preferences = [...rest, { type: channel, enabled: true }];
    await this.preferences.setGlobal(tenant, subscriber.subscriberId, { enabled: true, preferences });
  }

  /** If the workflow as a whole was off, its other channels stay off. */
  private async openWorkflow(
    { tenant, subscriber }: Recipient,
    workflow: WorkflowPreferenceResponse,
    channel: SwitchChange['channel'],
  ): Promise<void> {
    const { subscriberId } = subscriber;
    const { _id } = workflow.template;
    const others = workflow.preference.enabled ? [] : channelsOf(workflow).filter((other) => other !== channel);
    for (const type of others) {
      const state = { type, enabled: isOn(workflow, type) };
      await this.preferences.setForWorkflow(tenant, subscriberId, _id, { channel: state });
    }
    await this.preferences.setForWorkflow(tenant, subscriberId, _id, {
      enabled: true,
      channel: { type: channel, enabled: true },
    });
  }
}
