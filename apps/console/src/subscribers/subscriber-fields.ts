import { textIn } from '../ui/form-text.js';
import type { Subscriber } from './subscriber-words.js';

type Name = 'firstName' | 'lastName' | 'email' | 'phone' | 'locale' | 'timezone' | 'avatar';

interface FieldOf {
  readonly name: Name;
  readonly label: string;
  readonly type?: 'email' | 'tel' | 'url';
  readonly placeholder?: string;
}

export const SUBSCRIBER_FIELDS: readonly FieldOf[] = [
  { name: 'firstName', label: 'First name' },
  { name: 'lastName', label: 'Last name' },
  { name: 'email', label: 'Email', type: 'email', placeholder: 'ada@example.com' },
  { name: 'phone', label: 'Phone', type: 'tel', placeholder: '+15551230100' },
  { name: 'locale', label: 'Language', placeholder: 'en-GB' },
  { name: 'timezone', label: 'Time zone', placeholder: 'Europe/London' },
  { name: 'avatar', label: 'Picture (URL)', type: 'url' },
];

export type SubscriberFields = Partial<Record<Name, string | null>>;

/** What the form changes: null removes what was there, and what was and is empty is left out. */
export function readSubscriber(
  form: Pick<FormData, 'get'>,
  stored: Partial<Pick<Subscriber, Name>> | undefined,
): SubscriberFields {
  return Object.fromEntries(
    SUBSCRIBER_FIELDS.flatMap(({ name }): [Name, string | null][] => {
      const text = textIn(form, name);
      if (text !== '') return [[name, text]];
      return stored?.[name] ? [[name, null]] : [];
    }),
  );
}
