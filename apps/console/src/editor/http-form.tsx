import type { VNode } from 'preact';
import type { Schemas } from '../api/client.js';
import type { Template } from '../drafts/draft.js';
import { SelectField } from '../ui/fields.js';
import { CodeEditor } from './code-editor.js';
import { Check, LiveField } from './live-fields.js';
import type { Suggestion } from './suggestions.js';

interface Props {
  readonly template: Template;
  readonly suggestions: readonly Suggestion[];
  readonly onTemplate: (template: Template, about: string) => void;
}

type Pair = Schemas['HttpHeaderDto'];

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** The request of a step, and what becomes of the run if it fails. */
export function HttpForm({ template, suggestions, onTemplate }: Props): VNode {
  const set = (change: Readonly<Record<string, unknown>>): void =>
    onTemplate({ ...template, ...change }, Object.keys(change).join(' '));
  const method = textOf(template['method']) || 'POST';
  return (
    <>
      <SelectField
        label="Method"
        path="method"
        value={method}
        choices={METHODS.map((value) => ({ value, label: value }))}
        onChange={(value) => set({ method: value })}
      />
      <LiveField
        label="URL"
        path="url"
        isCode
        value={textOf(template['url'])}
        placeholder="https://crm.example.com/orders/{{order.id}}"
        onInput={(url) => set({ url })}
      />
      <Pairs
        name="Header"
        pairs={pairsOf(template['headers'])}
        note="Secrets of the environment: {{secrets.NAME}}. They are in no trail."
        onPairs={(headers) => set({ headers: headers.length === 0 ? undefined : headers })}
      />
      {method !== 'GET' && <Body body={template['body']} suggestions={suggestions} onBody={(body) => set({ body })} />}
      <div class="two-fields">
        <LiveField
          label="Time for one attempt, in ms"
          path="timeoutMs"
          type="number"
          value={numberOf(template['timeoutMs'])}
          placeholder="As Herald is set"
          onInput={(value) => set({ timeoutMs: numberIn(value) })}
        />
        <LiveField
          label="Attempts"
          path="maxAttempts"
          type="number"
          value={numberOf(template['maxAttempts'])}
          placeholder="As Herald is set"
          onInput={(value) => set({ maxAttempts: numberIn(value) })}
        />
      </div>
      <Check
        isOn={template['continueOnFailure'] === true}
        onChange={(isOn) => set({ continueOnFailure: isOn || undefined })}
      >
        Go on with the next step if the request fails
      </Check>
    </>
  );
}

interface BodyProps {
  readonly body: unknown;
  readonly suggestions: readonly Suggestion[];
  readonly onBody: (body: unknown) => void;
}

function Body({ body, suggestions, onBody }: BodyProps): VNode {
  const isFields = Array.isArray(body);
  return (
    <>
      <SelectField
        label="Body"
        value={isFields ? 'fields' : 'text'}
        choices={[
          { value: 'text', label: 'A text, such as JSON' },
          { value: 'fields', label: 'Fields of a JSON object' },
        ]}
        onChange={(to) => {
          if ((to === 'fields') !== isFields) onBody(to === 'fields' ? [{ key: '', value: '' }] : undefined);
        }}
      />
      {isFields ? (
        <Pairs name="Field" pairs={pairsOf(body)} onPairs={onBody} />
      ) : (
        <CodeEditor
          label="Body of the request"
          text={textOf(body)}
          language="text"
          faults={[]}
          suggestions={suggestions}
          onText={(text) => onBody(text === '' ? undefined : text)}
        />
      )}
    </>
  );
}

interface PairsProps {
  /** What one of them is. */
  readonly name: string;
  readonly pairs: readonly Pair[];
  readonly note?: string;
  readonly onPairs: (pairs: readonly Pair[]) => void;
}

function Pairs({ name, pairs, note, onPairs }: PairsProps): VNode {
  return (
    <>
      {pairs.map((pair, at) => (
        <div key={at} class="pair">
          <LiveField
            label={`${name} ${at + 1}`}
            isCode
            value={pair.key}
            onInput={(key) => onPairs(pairs.with(at, { ...pair, key }))}
          />
          <LiveField
            label="Value"
            isCode
            value={pair.value}
            onInput={(value) => onPairs(pairs.with(at, { ...pair, value }))}
          />
          <button
            type="button"
            class="small quiet"
            aria-label={`Remove ${name.toLowerCase()} ${at + 1}`}
            onClick={() => onPairs(pairs.toSpliced(at, 1))}
          >
            Remove
          </button>
        </div>
      ))}
      <div class="button-line">
        <button type="button" class="small" onClick={() => onPairs([...pairs, { key: '', value: '' }])}>
          Add {name.toLowerCase()}
        </button>
      </div>
      {note !== undefined && <p class="note">{note}</p>}
    </>
  );
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const numberOf = (value: unknown): string => (typeof value === 'number' ? String(value) : '');
const numberIn = (text: string): number | undefined => (text.trim() === '' ? undefined : Number(text));
const pairsOf = (value: unknown): readonly Pair[] => (Array.isArray(value) ? (value as Pair[]) : []);
