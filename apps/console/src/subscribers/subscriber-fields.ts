import type { Schemas } from '../api/client.js';
import { textIn } from '../ui/form-text.js';
import type { Subscriber } from './subscriber-words.js';
import PROFILE_FIELDS from './profile-fields.json';

type Profile = Omit<Schemas['UpdateSubscriberDto'], 'data'>;
type Name = keyof Profile;

interface FieldOf {
  readonly name: Name;
  readonly kind: string;
  readonly label: string;
  readonly type?: 'email' | 'tel' | 'url';
  readonly placeholder?: string;
  /** Of its column in files. */
  readonly headings: readonly string[];
}

const TYPES: Readonly<Partial<Record<string, FieldOf['type']>>> = { email: 'email', phone: 'tel', url: 'url' };
/** Kinds whose form an example shows. */
const SHOWN_BY_EXAMPLE = new Set(['email', 'phone', 'locale', 'timezone']);

/** The texts of a profile. */
export const SUBSCRIBER_FIELDS = PROFILE_FIELDS.filter(({ kind }) => kind !== 'freeForm').map((field): FieldOf => {
  const { kind, label, example, headings = [] } = field;
  const type = TYPES[kind];
  return {
    name: field.name as Name,
    kind,
    label,
    headings: [field.name, label, ...headings],
    ...(type && { type }),
    ...(SHOWN_BY_EXAMPLE.has(kind) && typeof example === 'string' && { placeholder: example }),
  };
});

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
