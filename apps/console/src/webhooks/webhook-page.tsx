import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Link, useParams } from 'wouter-preact';
import { plainWords } from '../api/plain-words.js';
import { ActionButton } from '../access/action-button.js';
import { HistoryLink } from '../ui/history-link.js';
import { dataOf } from '../api/client.js';
import { toFailure } from '../api/failure.js';
import { useQuery } from '../api/use-query.js';
import { useApi } from '../session.js';
import { Page } from '../ui/page.js';
import { Loaded } from '../ui/states.js';
import { Status } from '../ui/status.js';
import { Ago, Moment } from '../ui/time.js';
import { useToast } from '../ui/toasts.js';
import { Deliveries } from './deliveries.js';
import { RotateSecretDialog, SwitchDialog } from './webhook-dialogs.js';
import { DeleteWebhookDialog, EditWebhookDialog } from './webhook-form.js';
import { hostOf, type Webhook, webhookWord } from './webhook-words.js';
import { shortEvent } from './webhooks-page.js';

/** One webhook and what was sent to it. */
export function WebhookPage(): VNode {
  const api = useApi();
  const { webhookId = '' } = useParams<{ webhookId: string }>();
  const [open, setOpen] = useState<'edit' | 'rotate' | 'switch' | 'delete'>();
  const query = useQuery(`webhook ${webhookId}`, (signal) =>
    dataOf(api.GET('/v1/webhooks/{webhookId}', { params: { path: { webhookId } }, signal })),
  );
  const webhook = query.data;
  const [tests, setTests] = useState(0);
  const close = (): void => setOpen(undefined);
  return (
    <Page
      title={webhook ? `Webhook to ${hostOf(webhook.url)}` : 'Webhook'}
      above={<Link href="/webhooks">← Webhooks</Link>}
      actions={
        webhook && (
          <>
            <HistoryLink type="webhook" id={webhook._id} />
            <TestButton webhook={webhook} onSent={() => setTests(tests + 1)} />
            <ActionButton needs="updateWebhook" onClick={() => setOpen('edit')}>
              Edit…
            </ActionButton>
            <ActionButton needs="deleteWebhook" class="danger" onClick={() => setOpen('delete')}>
              Delete…
            </ActionButton>
            <ActionButton needs="rotateWebhookSecret" onClick={() => setOpen('rotate')}>
              Rotate secret…
            </ActionButton>
            <ActionButton
              needs="updateWebhook"
              class={webhook.active ? 'danger' : 'primary'}
              onClick={() => setOpen('switch')}
            >
              {webhook.active ? 'Disable…' : 'Enable…'}
            </ActionButton>
          </>
        )
      }
    >
      <Loaded query={query}>
        {(found) => (
          <>
            <Facts webhook={found} />
            <Deliveries key={tests} webhook={found} />
          </>
        )}
      </Loaded>
      {webhook && open === 'rotate' && <RotateSecretDialog webhook={webhook} onClose={close} />}
      {webhook && open === 'edit' && <EditWebhookDialog webhook={webhook} onClose={close} onDone={query.reload} />}
      {webhook && open === 'delete' && <DeleteWebhookDialog webhook={webhook} onClose={close} />}
      {webhook && open === 'switch' && <SwitchDialog webhook={webhook} onClose={close} onDone={query.reload} />}
    </Page>
  );
}

function TestButton({ webhook, onSent }: { webhook: Webhook; onSent: () => void }): VNode {
  const api = useApi();
  const toast = useToast();
  const test = async (): Promise<void> => {
    try {
      const params = { path: { webhookId: webhook._id } };
      await dataOf(api.POST('/v1/webhooks/{webhookId}/test', { params }));
      toast('A test is on its way. Its delivery is listed below.');
      onSent();
    } catch (error) {
      toast(toFailure(error).texts.join(' '), 'bad');
    }
  };
  return (
    <ActionButton needs="testWebhook" disabled={!webhook.active} onClick={() => void test()}>
      Send a test
    </ActionButton>
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
            : {plainWords(disabledReason)}
          </p>
          <p>Fix the URL, then enable the webhook. You can resend failed deliveries afterwards.</p>
        </div>
      )}
    </section>
  );
}
