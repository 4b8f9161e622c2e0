import type { VNode } from 'preact';
import { Field } from '../ui/fields.js';
import type { Step } from './workflow-words.js';

const NAMES = ['subject', 'title', 'content'] as const;
type Name = (typeof NAMES)[number];

/** Texts that replace those of the template, in the preview only. */
export type Drafts = Partial<Record<Name, string>>;

const LABELS: Readonly<Record<Name, string>> = { subject: 'Subject', title: 'Title', content: 'Content' };

interface Props {
  readonly template: Step['template'];
  readonly drafts: Drafts;
  readonly onDrafts: (drafts: Drafts) => void;
}

/** Fields to try other texts. Nothing is stored: the workflow is changed through the API. */
export function DraftTexts({ template, drafts, onDrafts }: Props): VNode | null {
  const texts = NAMES.flatMap((name) => {
    const text = template[name];
    return typeof text === 'string' ? [{ name, text }] : [];
  });
  if (texts.length === 0) return null;
  const change = (name: Name, text: string, stored: string): void => {
    const { [name]: _former, ...others } = drafts;
    onDrafts(text === stored ? others : { ...others, [name]: text });
  };
  return (
    <details class="drafts">
      <summary>Try different texts</summary>
      <p class="note">These texts apply to this preview only. To save them, update the workflow through the API.</p>
      {texts.map(({ name, text }) => (
        <Field key={name} label={LABELS[name]}>
          {(id) => (
            <textarea
              id={id}
              class="code"
              rows={Math.min(Math.max((drafts[name] ?? text).split('\n').length, name === 'content' ? 4 : 1), 18)}
              value={drafts[name] ?? text}
              spellcheck={false}
              onInput={(event) => change(name, event.currentTarget.value, text)}
            />
          )}
        </Field>
      ))}
    </details>
  );
}
