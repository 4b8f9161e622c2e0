import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { ActionButton } from '../access/action-button.js';
import { bodyOf, dataOf } from '../api/client.js';
import { toFailure } from '../api/failure.js';
import { useApi } from '../session.js';
import { Confirm } from '../ui/dialog.js';
import { saveFile } from '../ui/save-file.js';
import { useToast } from '../ui/toasts.js';
import { SubscriberForm } from './subscriber-form.js';
import type { Subscriber } from './subscriber-words.js';

/** Makes a subscriber, and opens the page of the person. */
export function NewSubscriber(): VNode {
  const api = useApi();
  const [, navigate] = useLocation();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <ActionButton needs="createSubscriber" class="primary" onClick={() => setOpen(true)}>
        New subscriber…
      </ActionButton>
      {isOpen && (
        <SubscriberForm
          title="New subscriber"
          action="Create"
          onClose={() => setOpen(false)}
          onSave={async (fields, subscriberId) => {
            await dataOf(api.POST('/v1/subscribers', { body: { ...fields, subscriberId } }));
            navigate(`/subscribers/${encodeURIComponent(subscriberId)}`);
          }}
        />
      )}
    </>
  );
}

interface Props {
  readonly subscriber: Subscriber;
  readonly onChanged: () => void;
}

/** Changes a person, gives out everything that is held of them, and erases them. */
export function SubscriberActions({ subscriber, onChanged }: Props): VNode {
  const api = useApi();
  const toast = useToast();
  const [open, setOpen] = useState<'edit' | 'delete'>();
  const { subscriberId } = subscriber;
  const params = { path: { subscriberId } };
  const close = (): void => setOpen(undefined);
  const download = async (): Promise<void> => {
    try {
      const everything = await bodyOf(api.GET('/v1/subscribers/{subscriberId}/export', { params }));
      saveFile(`subscriber-${subscriberId.replaceAll(/[^\w.-]/g, '_')}.json`, JSON.stringify(everything, undefined, 2));
    } catch (error) {
      toast(toFailure(error).texts.join(' '), 'bad');
    }
  };
  return (
    <>
      <ActionButton needs="updateSubscriber" onClick={() => setOpen('edit')}>
        Edit…
      </ActionButton>
      <ActionButton needs="exportSubscriber" onClick={() => void download()}>
        Export
      </ActionButton>
      <ActionButton needs="deleteSubscriber" class="danger" onClick={() => setOpen('delete')}>
        Delete…
      </ActionButton>
      {open === 'edit' && (
        <SubscriberForm
          title="Edit subscriber"
          action="Save"
          subscriber={subscriber}
          onClose={close}
          onSave={async (fields) => {
            await dataOf(api.PUT('/v1/subscribers/{subscriberId}', { params, body: fields }));
            toast('Saved.');
            onChanged();
          }}
        />
      )}
      {open === 'delete' && <DeleteDialog subscriberId={subscriberId} onClose={close} />}
    </>
  );
}

function DeleteDialog({ subscriberId, onClose }: { subscriberId: string; onClose: () => void }): VNode {
  const api = useApi();
  const toast = useToast();
  const [, navigate] = useLocation();
  const [typed, setTyped] = useState('');
  const remove = async (): Promise<void> => {
    await bodyOf(api.DELETE('/v1/subscribers/{subscriberId}', { params: { path: { subscriberId } } }));
    toast('The subscriber was deleted.');
    navigate('/subscribers');
  };
  return (
    <Confirm
      title="Delete this subscriber?"
      action="Delete for good"
      isDangerous
      isDisabled={typed !== subscriberId}
      onClose={onClose}
      onConfirm={remove}
    >
      <p>
        The person is erased for good: profile, addresses, preferences, topics, messages and the content of
        notifications. What was about to be sent is not sent. Export first if you may need it.
      </p>
      <div class="field">
        <label for="delete-subscriber">
          Type <code>{subscriberId}</code> to confirm
        </label>
        <input
          id="delete-subscriber"
          autocomplete="off"
          spellcheck={false}
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      </div>
    </Confirm>
  );
}
