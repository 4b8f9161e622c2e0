import type { VNode } from 'preact';
import { useLocation } from 'wouter-preact';
import { bodyOf, dataOf, type Schemas } from '../api/client.js';
import { useApi } from '../session.js';
import { Confirm } from '../ui/dialog.js';
import { Field, RequiredField, TextField } from '../ui/fields.js';
import { textIn } from '../ui/form-text.js';
import { SecretDialog } from '../ui/secret-dialog.js';
import { useToast } from '../ui/toasts.js';
import { EVENTS, type Webhook, type WebhookEvent } from './webhook-words.js';

type Body = Schemas['CreateWebhookDto'];

/** Connects a URL, and shows the secret with which calls are signed, once. */
export function NewWebhookDialog({ onClose, onDone }: { onClose: () => void; onDone: () => void }): VNode {
  const api = useApi();
  const create = async (form: FormData): Promise<string> => {
    const { secret } = await dataOf(api.POST('/v1/webhooks', { body: bodyIn(form) }));
    onDone();
    return secret;
  };
  return (
    <SecretDialog
      title="New webhook"
      action="Create"
      secretName="signing secret"
      note="Configure your receiver with it: each call is signed, so that it knows the calls that come from Herald."
      onClose={onClose}
      onSubmit={create}
    >
      <WebhookFields />
    </SecretDialog>
  );
}

interface EditProps {
  readonly webhook: Webhook;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function EditWebhookDialog({ webhook, onClose, onDone }: EditProps): VNode {
  const api = useApi();
  const toast = useToast();
  const change = async (form: FormData): Promise<void> => {
    const { url, ...body } = bodyIn(form);
    const params = { path: { webhookId: webhook._id } };
    // Parts of the shown URL may be hidden: it is sent only if somebody has changed it.
    const sent = { ...body, ...(url !== webhook.url && { url }) };
    await dataOf(api.PATCH('/v1/webhooks/{webhookId}', { params, body: sent }));
    toast('The webhook is changed.');
    onDone();
  };
  return (
    <Confirm title="Edit the webhook" action="Save" onClose={onClose} onConfirm={change}>
      <WebhookFields webhook={webhook} />
    </Confirm>
  );
}

export function DeleteWebhookDialog({ webhook, onClose }: Omit<EditProps, 'onDone'>): VNode {
  const api = useApi();
  const toast = useToast();
  const [, navigate] = useLocation();
  const remove = async (): Promise<void> => {
    await bodyOf(api.DELETE('/v1/webhooks/{webhookId}', { params: { path: { webhookId: webhook._id } } }));
    toast('The webhook is deleted.');
    navigate('/webhooks');
  };
  return (
    <Confirm title="Delete this webhook" action="Delete webhook" isDangerous onClose={onClose} onConfirm={remove}>
      <p>Nothing more is posted to it. Pending deliveries fail.</p>
    </Confirm>
  );
}

function WebhookFields({ webhook }: { webhook?: Webhook }): VNode {
  return (
    <>
      <RequiredField
        label="URL"
        name="url"
        value={webhook?.url}
        isCode
        maxLength={2048}
        placeholder="https://example.com/hooks/herald"
        note="Herald posts to it. It must answer with a status between 200 and 299."
      />
      <TextField label="Description" name="description" value={webhook?.description ?? ''} />
      <Field label="Events" path="events">
        {(id) => (
          <div id={id} class="event-choice" role="group" aria-label="Events">
            {EVENTS.map(({ event, words }) => (
              <label key={event} class="check">
                <input
                  type="checkbox"
                  name="events"
                  value={event}
                  defaultChecked={webhook?.events.includes(event) ?? event === 'message.failed'}
                />
                <span>{words}</span>
              </label>
            ))}
          </div>
        )}
      </Field>
    </>
  );
}

function bodyIn(form: FormData): Body {
  const chosen = form.getAll('events');
  return {
    url: textIn(form, 'url').trim(),
    description: textIn(form, 'description').trim() || null,
    events: EVENTS.map(({ event }): WebhookEvent => event).filter((event) => chosen.includes(event)),
  };
}
