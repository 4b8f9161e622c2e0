import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Link, useParams } from 'wouter-preact';
import { HistoryLink } from '../ui/history-link.js';
import { dataOf } from '../api/client.js';
import { useQuery } from '../api/use-query.js';
import { useApi } from '../session.js';
import { Page } from '../ui/page.js';
import { Loaded } from '../ui/states.js';
import { Status } from '../ui/status.js';
import { Ago, Moment } from '../ui/time.js';
import { Deliveries } from './deliveries.js';
import { RotateSecretDialog, SwitchDialog } from './webhook-dialogs.js';
import { hostOf, type Webhook, webhookWord } from './webhook-words.js';
import { shortEvent } from './webhooks-page.js';

/** One webhook and what was sent to it. */
export function WebhookPage(): VNode {
  const api = useApi();
  const { webhookId = '' } = useParams<{ webhookId: string }>();
  const [open, setOpen] = useState<'rotate' | 'switch'>();
  const query = useQuery(`webhook ${webhookId}`, (signal) =>
    dataOf(api.GET('/v1/webhooks/{webhookId}', { params: { path: { webhookId } }, signal })),
  );
  const webhook = query.data;
  const close = (): void => setOpen(undefined);
  return (
    <Page
      title={webhook ? `Webhook to ${hostOf(webhook.url)}` : 'Webhook'}
      above={<Link href="/webhooks">← Webhooks</Link>}
      actions={
        webhook && (
          <>
            <HistoryLink type="webhook" id={webhook._id} />
            <button type="button" onClick={() => setOpen('rotate')}>
              Rotate secret…
            </button>
            <button type="button" class={webhook.active ? 'danger' : 'primary'} onClick={() => setOpen('switch')}>
              {webhook.active ? 'Disable…' : 'Enable…'}
            </button>
          </>
        )
      }
    >
      <Loaded query={query}>
        {(found) => (
          <>
            <Facts webhook={found} />
            <Deliveries webhook={found} />
          </>
        )}
      </Loaded>
      {webhook && open === 'rotate' && <RotateSecretDialog webhook={webhook} onClose={close} />}
      {webhook && open === 'switch' && <SwitchDialog webhook={webhook} onClose={close} onDone={query.reload} />}
    </Page>
  );
}

function Facts({ webhook }: { webhook: Webhook }): VNode {
  const { url, description, events, disabledReason, disabledAt, createdAt } = webhook;
  return (
    <section class="panel">
      <dl class="facts">
        <div>
          <dt>Status</dt>
          <dd>
            <Status {...webhookWord(webhook)} />
          </dd>
        </div>
        <div>
          <dt>URL</dt>
          <dd>
            <code>{url}</code>
          </dd>
        </div>
        <div>
          <dt>Events</dt>
          <dd>{events.map(shortEvent).join(', ')}</dd>
        </div>
        {description && (
          <div>
            <dt>Description</dt>
            <dd>{description}</dd>
          </div>
        )}
        <div>
          <dt>Created</dt>
          <dd>
            <Ago at={createdAt} />
          </dd>
        </div>
      </dl>
      {disabledReason && (
        <div class="notice bad below">
          <p>
            <strong>Disabled by Herald</strong>
            {disabledAt && (
              <>
                {' '}
                on <Moment at={disabledAt} />
              </>
            )}
            : {disabledReason}
          </p>
          <p>Fix the URL, then enable the webhook. You can resend failed deliveries afterwards.</p>
        </div>
      )}
    </section>
  );
}
