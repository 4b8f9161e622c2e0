import type { VNode } from 'preact';
import { useLocation } from 'wouter-preact';
import { bodyOf, dataOf } from '../api/client.js';
import { useApi } from '../session.js';
import { Confirm } from '../ui/dialog.js';
import { Field, RequiredField } from '../ui/fields.js';
import { textIn } from '../ui/form-text.js';
import { useToast } from '../ui/toasts.js';
import { idsIn, inPortions, memberCount, type Topic } from './topic-words.js';

interface Props {
  readonly topic: Topic;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function AddMembersDialog({ topic: { key: topicKey, name }, onClose, onDone }: Props): VNode {
  const api = useApi();
  const toast = useToast();
  const add = async (form: FormData): Promise<void> => {
    const unknown: string[] = [];
    let added = 0;
    for (const subscribers of inPortions(idsIn(textIn(form, 'ids')))) {
      const call = api.POST('/v1/topics/{topicKey}/subscribers', {
        params: { path: { topicKey } },
        body: { subscribers },
      });
      const { succeeded, failed } = await dataOf(call);
      added += succeeded.length;
      unknown.push(...(failed?.notFound ?? []));
    }
    toast(`${memberCount(added)} of the list are in the topic.`);
    if (unknown.length > 0) toast(`No subscribers with these ids: ${unknown.slice(0, 20).join(', ')}`, 'bad');
    onDone();
  };
  return (
    <Confirm title={`Add subscribers to ${name}`} action="Add" onClose={onClose} onConfirm={add}>
      <Field label="Subscriber ids" note="One to a line, or separated by commas. They must exist.">
        {(id, describedBy) => (
          <textarea
            id={id}
            class="code"
            name="ids"
            rows={8}
            required
            spellcheck={false}
            aria-describedby={describedBy}
          />
        )}
      </Field>
    </Confirm>
  );
}

export function RenameTopicDialog({ topic: { key: topicKey, name }, onClose, onDone }: Props): VNode {
  const api = useApi();
  const toast = useToast();
  const rename = async (form: FormData): Promise<void> => {
    const params = { path: { topicKey } };
    await dataOf(api.PATCH('/v1/topics/{topicKey}', { params, body: { name: textIn(form, 'name') } }));
    toast('The topic is renamed.');
    onDone();
  };
  return (
    <Confirm title={`Rename ${name}`} action="Rename" onClose={onClose} onConfirm={rename}>
      <RequiredField label="Name" name="name" value={name} />
    </Confirm>
  );
}

export function RemoveMemberDialog({ topic, member, onClose, onDone }: Props & { readonly member: string }): VNode {
  const api = useApi();
  const toast = useToast();
  const remove = async (): Promise<void> => {
    const call = api.POST('/v1/topics/{topicKey}/subscribers/removal', {
      params: { path: { topicKey: topic.key } },
      body: { subscribers: [member] },
    });
    await bodyOf(call);
    toast(`${member} is no longer in the topic.`);
    onDone();
  };
  return (
    <Confirm title={`Remove ${member}`} action="Remove" isDangerous onClose={onClose} onConfirm={remove}>
      <p>
        Triggers to {topic.name} no longer notify {member}. The subscriber stays.
      </p>
    </Confirm>
  );
}

export function DeleteTopicDialog({ topic, onClose }: Omit<Props, 'onDone'>): VNode {
  const api = useApi();
  const toast = useToast();
  const [, navigate] = useLocation();
  const remove = async (): Promise<void> => {
    const params = { path: { topicKey: topic.key } };
    for (const subscribers of inPortions(topic.subscribers)) {
      await bodyOf(api.POST('/v1/topics/{topicKey}/subscribers/removal', { params, body: { subscribers } }));
    }
    await bodyOf(api.DELETE('/v1/topics/{topicKey}', { params }));
    toast(`The topic ${topic.name} is deleted.`);
    navigate('/topics');
  };
  return (
    <Confirm title={`Delete ${topic.name}`} action="Delete" isDangerous onClose={onClose} onConfirm={remove}>
      <p>
        It has {memberCount(topic.subscribers.length)}, who are taken out of it first and stay. Triggers to{' '}
        <code>{topic.key}</code> then notify nobody.
      </p>
    </Confirm>
  );
}
