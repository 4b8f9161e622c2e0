import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/common';
import { PreferencesService, type UnsubscribeWay } from '../../content/preferences/index.js';
import { type ResolvedWorkflow, WorkflowsService } from '../../content/workflows/index.js';
import {
  askPage,
  faultPage,
  type LinkPageContext,
  requiredPage,
  subscribedPage,
  unsubscribedPage,
} from './link-pages.js';
import type { Page } from './page-frame.js';
import { pageLanguage } from './page-texts.js';
import { RecordedChanges } from './recorded-changes.js';
import { type Recipient, type RecipientFault, Recipients } from './recipient.js';

export type LinkAction =
  { readonly kind: 'unsubscribe'; readonly via: UnsubscribeWay } | { readonly kind: 'subscribe' };

interface Subscription {
  readonly recipient: Recipient;
  readonly workflow: ResolvedWorkflow;
}

/** One workflow on one channel, as the link of a message names it. */
@Injectable()
export class UnsubscribesService {
  constructor(
    private readonly recipients: Recipients,
    private readonly workflows: WorkflowsService,
    private readonly preferences: PreferencesService,
    private readonly recorded: RecordedChanges,
    private readonly clock: Clock,
  ) {}

  /** Programs follow links too: looking changes nothing. */
  async show(token: string, acceptedLanguages: string | undefined): Promise<Page> {
    const found = await this.find(token);
    if (typeof found === 'string') return faultPage(found, pageLanguage(undefined, acceptedLanguages));
    const context = this.contextOf(found, acceptedLanguages);
    if (found.workflow.critical) return requiredPage(context);
    return (await this.isUnsubscribed(found)) ? unsubscribedPage(context) : askPage(context);
  }

  /** @param read called only for a link that Herald made; undefined: the request says nothing that is understood */
  async act(
    token: string,
    read: () => Promise<LinkAction | undefined>,
    acceptedLanguages: string | undefined,
  ): Promise<Page> {
    const found = await this.find(token);
    if (typeof found === 'string') return faultPage(found, pageLanguage(undefined, acceptedLanguages));
    const context = this.contextOf(found, acceptedLanguages);
    const action = await read();
    if (action === undefined) return faultPage('badRequest', context.language);
    if (found.workflow.critical) return requiredPage(context);
    if (action.kind === 'subscribe') {
      await this.subscribe(found);
      return subscribedPage(context);
    }
    await this.unsubscribe(found, action.via);
    return unsubscribedPage(context);
  }

  /** Also a repetition is recorded: the first call may have ended halfway. */
  private async unsubscribe({ recipient, workflow }: Subscription, via: UnsubscribeWay): Promise<void> {
    const { tenant, claims } = recipient;
    const { channel, subscriberId } = claims;
    const now = this.clock.now();
    const at = await this.preferences.unsubscribe(tenant, subscriberId, workflow.id, { channel, via, now });
    if (at === undefined) return;
    await this.recorded.record(recipient, [{ change: changeOf(recipient, workflow, false, via), at }]);
  }

  private async subscribe({ recipient, workflow }: Subscription): Promise<void> {
    const { tenant, claims, subscriber } = recipient;
    if (!(await this.isUnsubscribed({ recipient, workflow }))) return;
    const at = this.clock.now();
    const channel = { type: claims.channel, enabled: true };
    await this.preferences.setForWorkflow(tenant, subscriber.subscriberId, workflow.id, { channel });
    await this.recorded.record(recipient, [{ change: changeOf(recipient, workflow, true, 'page'), at }]);
  }

  private async isUnsubscribed({ recipient: { tenant, claims }, workflow }: Subscription): Promise<boolean> {
    const own = await this.preferences.ownOf(tenant, claims.subscriberId);
    return own.get(workflow.id)?.channels?.[claims.channel] === false;
  }

  private async find(token: string): Promise<Subscription | RecipientFault> {
    const recipient = await this.recipients.find('unsubscribe', token);
    if (typeof recipient === 'string') return recipient;
    const { tenant, claims } = recipient;
    const workflow = (await this.workflows.findByIds(tenant, [claims.workflowId])).get(claims.workflowId);
    return workflow === undefined ? 'gone' : { recipient, workflow };
  }

  private contextOf({ recipient, workflow }: Subscription, acceptedLanguages: string | undefined): LinkPageContext {
    return {
      language: pageLanguage(recipient.subscriber.locale, acceptedLanguages),
      branding: recipient.branding,
      workflowName: workflow.name,
      channel: recipient.claims.channel,
      preferencesPath: this.recipients.preferencesPath(recipient),
    };
  }
}

function changeOf(
  { claims: { channel } }: Recipient,
  { id, identifier }: ResolvedWorkflow,
  enabled: boolean,
  via: UnsubscribeWay,
): Parameters<RecordedChanges['record']>[1][number]['change'] {
  return { workflowId: id, workflowIdentifier: identifier, channel, enabled, via };
}
