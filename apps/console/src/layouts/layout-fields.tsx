import type { VNode } from 'preact';
import type { Schemas } from '../api/client.js';
import { CodeEditor } from '../editor/code-editor.js';
import { LiveField } from '../editor/live-fields.js';
import { suggestionsOf } from '../editor/suggestions.js';
import { SUBSCRIBER_FIELDS } from '../subscribers/subscriber-fields.js';
import type { LayoutDraft } from './layout-draft.js';

interface Props {
  readonly draft: LayoutDraft;
  readonly faults: readonly Schemas['TemplateFaultResponse'][];
  readonly onDraft: (draft: LayoutDraft) => void;
}

/** What every layout can read, with the type. */
const SYSTEM = {
  branding: { logo: 'URL', color: 'CSS', fontColor: 'CSS', contentBackground: 'CSS', fontFamily: 'CSS' },
  subscriber: Object.fromEntries(SUBSCRIBER_FIELDS.map(({ name }) => [name, 'text'])),
  tenant: { name: 'text', identifier: 'text' },
};

export function LayoutFields({ draft, faults, onDraft }: Props): VNode {
  const names = draft.variables.map(({ name }) => name).filter((name) => name !== '');
  const suggestions = suggestionsOf(undefined, ['body', 'subject', 'preheader', ...names], SYSTEM);
  return (
    <div class="form">
      <div class="two-fields">
        <LiveField label="Name" path="name" value={draft.name} onInput={(name) => onDraft({ ...draft, name })} />
        <LiveField
          label="Identifier"
          path="identifier"
          value={draft.identifier}
          onInput={(identifier) => onDraft({ ...draft, identifier })}
        />
      </div>
      <LiveField
        label="Description"
        path="description"
        value={draft.description}
        onInput={(description) => onDraft({ ...draft, description })}
      />
      <CodeEditor
        label="HTML"
        path="content"
        language="html"
        text={draft.content}
        faults={faults}
        suggestions={suggestions}
        onText={(content) => onDraft({ ...draft, content })}
      />
      <p class="note">
        <code>{'{{{body}}}'}</code> marks where the content of the email goes.
      </p>
      <Variables draft={draft} onDraft={onDraft} />
    </div>
  );
}

/** What the layout reads from the payload, with what stands there if the payload has none. */
function Variables({ draft, onDraft }: Omit<Props, 'faults'>): VNode {
  const { variables } = draft;
  const set = (at: number, changes: Partial<(typeof variables)[number]>): void =>
    onDraft({ ...draft, variables: variables.map((one, index) => (index === at ? { ...one, ...changes } : one)) });
  const remove = (at: number): void => onDraft({ ...draft, variables: variables.filter((_, index) => index !== at) });
  return (
    <fieldset class="scopes">
      <legend>Variables of the payload</legend>
      {variables.map((variable, at) => (
        <div key={at} class="two-fields">
          <LiveField label={`Variable ${at + 1}`} value={variable.name} onInput={(name) => set(at, { name })} />
          {variable.type === 'String' && (
            <LiveField
              label={`Default of variable ${at + 1}`}
              value={typeof variable.defaultValue === 'string' ? variable.defaultValue : ''}
              onInput={(defaultValue) => set(at, { defaultValue })}
            />
          )}
          <div class="button-line">
            <button type="button" class="small" onClick={() => remove(at)}>
              Remove<span class="unseen"> variable {at + 1}</span>
            </button>
          </div>
        </div>
      ))}
      <div class="button-line">
        <button
          type="button"
          class="small"
          onClick={() =>
            onDraft({ ...draft, variables: [...variables, { name: '', type: 'String', required: false }] })
          }
        >
          Add a variable
        </button>
      </div>
    </fieldset>
  );
}
