import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { dataOf, type Schemas } from '../api/client.js';
import { type Query, useQuery } from '../api/use-query.js';
import { useApi } from '../session.js';
import { TextField, SelectField } from '../ui/fields.js';
import { ChannelFrame } from '../ui/channel-frame.js';
import { JsonEditor } from '../ui/json-editor.js';
import { objectOf } from '../ui/json-fault.js';
import { Failed, Loading } from '../ui/states.js';
import { Ago, Moment } from '../ui/time.js';
import { type DraftStep, sentStep } from '../drafts/draft.js';
import type { PastEvent } from '../workflows/past-events.js';
import type { Sample } from './sample.js';

type Preview = Schemas['StepPreviewResponse'];

interface Asked {
  readonly workflowId: string;
  readonly step: DraftStep;
  /** Whether a digest stands in front of it. */
  readonly isDigested: boolean;
  readonly sample: Sample;
}

/** Renders a step that is being written, once typing pauses. The last result stays until the next one is there. */
export function useLivePreview({ workflowId, step, isDigested, sample }: Asked): Query<Preview> & { shown?: Preview } {
  const api = useApi();
  const { value: payload } = objectOf(sample.payload);
  const asked = useSettled(
    JSON.stringify({
      step: sentStep({ ...step, variants: [], filters: [] }),
      ...(payload && { payload }),
      ...(isDigested && payload && { events: [payload] }),
      ...(sample.subscriber !== '' && { subscriber: sample.subscriber }),
      ...(sample.tenant !== '' && { tenant: sample.tenant }),
      ...(sample.locale !== '' && { locale: sample.locale }),
    }),
  );
  const query = useQuery(asked, (signal) =>
    dataOf(
      api.POST('/v1/workflows/{workflowId}/steps/preview', {
        params: { path: { workflowId } },
        body: JSON.parse(asked) as Schemas['PreviewDraftStepDto'],
        signal,
      }),
    ),
  );
  const last = useRef<{ of: string; preview: Preview }>();
  if (query.data !== undefined) last.current = { of: step.uuid, preview: query.data };
  const shown = last.current?.of === step.uuid ? last.current.preview : undefined;
  return { ...query, ...(shown && { shown }) };
}

function useSettled(text: string, afterMs = 300): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(text), afterMs);
    return () => window.clearTimeout(timer);
  }, [text, afterMs]);
  return settled;
}

/** What the step would send, as the person sees it. */
export function LivePreview({ query, who }: { query: ReturnType<typeof useLivePreview>; who: string }): VNode {
  const { shown, failure, reload } = query;
  const { faults = [], missing = [], missingTranslations = [], removedLinks = [], warnings = [], until } = shown ?? {};
  return (
    <section class="panel live-preview" aria-label="Preview" aria-busy={query.isLoading}>
      <h2>Preview</h2>
      {failure && <Failed failure={failure} onRetry={reload} />}
      {faults.length > 0 && (
        <div class="notice bad" role="status">
          <p>
            <strong>The step cannot be rendered</strong>
          </p>
          <ul>
            {faults.map(({ path, message, line, column }) => (
              <li key={`${path} ${line} ${column} ${message}`}>
                {path && <code>{path}</code>} {message}
              </li>
            ))}
          </ul>
        </div>
      )}
      {missing.length > 0 && (
        <p class="notice warn">
          <span>
            The payload lacks: <code>{missing.join(', ')}</code>
          </span>
        </p>
      )}
      {missingTranslations.length > 0 && (
        <p class="notice warn">
          <span>
            Keys without a translation: <code>{missingTranslations.join(', ')}</code>
          </span>
        </p>
      )}
      {removedLinks.length > 0 && (
        <p class="notice warn">
          <span>
            Links that could run code are removed: <code>{removedLinks.join(', ')}</code>
          </span>
        </p>
      )}
      {warnings.length > 0 && (
        <div class="notice warn" role="status">
          <ul>
            {warnings.map(({ message }) => (
              <li key={message}>{message}</li>
            ))}
          </ul>
        </div>
      )}
      {until && (
        <p>
          If an event came now, it would end <Ago at={until} />, on <Moment at={until} />.
        </p>
      )}
      {shown ? <ChannelFrame message={shown} who={who} /> : !failure && <Loading lines={3} />}
    </section>
  );
}

interface SampleProps {
  readonly sample: Sample;
  readonly past: readonly PastEvent[];
  readonly onSample: (sample: Sample) => void;
}

/** With what the preview is rendered: by hand, or as a past event had it. */
export function SampleForm({ sample, past, onSample }: SampleProps): VNode {
  const [chosen, choose] = useState('');
  const take = (id: string): void => {
    choose(id);
    const event = past.find((one) => one.id === id);
    if (event === undefined) return;
    onSample({
      ...sample,
      payload: JSON.stringify(event.payload, undefined, 2),
      subscriber: event.subscriberId ?? sample.subscriber,
    });
  };
  return (
    <details class="panel sample">
      <summary>
        Preview with{' '}
        <span class="soft">
          {sample.subscriber || 'a sample subscriber'}
          {sample.tenant !== '' && `, tenant ${sample.tenant}`}
          {sample.locale !== '' && `, in ${sample.locale}`}
        </span>
      </summary>
      <div class="form">
        {past.length > 0 && (
          <SelectField
            label="Past event"
            value={chosen}
            choices={[
              { value: '', label: 'None: the payload below' },
              ...past.map(({ id, label }) => ({ value: id, label })),
            ]}
            onChange={take}
          />
        )}
        <WhoFields sample={sample} onSample={onSample} />
        <JsonEditor
          label="Payload"
          text={sample.payload}
          onText={(payload) => {
            choose('');
            onSample({ ...sample, payload });
          }}
        />
      </div>
    </details>
  );
}

function WhoFields({ sample, onSample }: Pick<SampleProps, 'sample' | 'onSample'>): VNode {
  return (
    <div class="two-fields">
      <TextField
        label="Subscriber id"
        placeholder="A sample subscriber"
        value={sample.subscriber}
        onChange={(subscriber) => onSample({ ...sample, subscriber: subscriber.trim() })}
      />
      <TextField
        label="Tenant identifier"
        placeholder="None"
        value={sample.tenant}
        onChange={(tenant) => onSample({ ...sample, tenant: tenant.trim() })}
      />
      <TextField
        label="Locale"
        placeholder="That of the subscriber"
        value={sample.locale}
        onChange={(locale) => onSample({ ...sample, locale: locale.trim() })}
      />
    </div>
  );
}
