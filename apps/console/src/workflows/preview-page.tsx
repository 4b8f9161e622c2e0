import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Link, useParams, useSearchParams } from 'wouter-preact';
import { typeLabel } from '../activity/words.js';
import { dataOf, type Schemas } from '../api/client.js';
import { useQuery } from '../api/use-query.js';
import { useApi } from '../session.js';
import { SelectField, TextField } from '../ui/fields.js';
import { JsonEditor } from '../ui/json-editor.js';
import { objectOf } from '../ui/json-fault.js';
import { Page } from '../ui/page.js';
import { Empty, Loaded } from '../ui/states.js';
import { DraftTexts, type Drafts } from './draft-texts.js';
import { PreviewResult } from './preview-result.js';
import { TestSend } from './test-send.js';
import { sampleText } from './trigger-panel.js';
import { useWorkflow } from './workflow-page.js';
import { type Step, stepTitle, type Workflow } from './workflow-words.js';

type Preview = Schemas['PreviewStepDto'];

/** A step with a payload and a subscriber, as it would be sent, and a way to send it. */
export function PreviewPage(): VNode {
  const { workflowId = '', stepId = '' } = useParams<{ workflowId: string; stepId: string }>();
  const query = useWorkflow(workflowId);
  const step = query.data?.steps.find(({ _id }) => _id === stepId);
  const title = query.data && step ? `Preview of ${stepTitle(query.data.steps, step.uuid)}` : 'Preview';
  return (
    <Page
      title={title}
      above={<Link href={`/workflows/${workflowId}`}>← {query.data?.name ?? 'Workflow'}</Link>}
      actions={query.data && <Link href={`/workflows/${workflowId}/run`}>Run…</Link>}
    >
      <Loaded query={query}>
        {(workflow) =>
          step === undefined ? (
            <Empty title="Step not found">
              <p>The workflow may have changed. Choose one of its steps.</p>
            </Empty>
          ) : (
            <Workbench key={stepId} workflow={workflow} step={step} />
          )
        }
      </Loaded>
    </Page>
  );
}

function Workbench({ workflow, step }: { workflow: Workflow; step: Step }): VNode {
  const [parameters, setParameters] = useSearchParams();
  const [payload, setPayload] = useState(() => sampleText(workflow));
  const [subscriber, setSubscriber] = useState('');
  const [tenant, setTenant] = useState('');
  const [locale, setLocale] = useState('');
  const [drafts, setDrafts] = useState<Drafts>({});
  const variant = step.variants.find(({ _id }) => _id === parameters.get('variant'));
  const { template } = variant ?? step;
  const { value, fault } = objectOf(payload);
  const body: Preview = {
    ...(value && { payload: value }),
    ...(subscriber !== '' && { subscriber }),
    ...(tenant !== '' && { tenant }),
    ...(locale !== '' && { locale }),
    ...(variant && { variantId: variant._id }),
  };
  const drafted = { ...body, ...(Object.keys(drafts).length > 0 && { template: drafts }) };
  const choose = (variantId: string): void => {
    setDrafts({});
    setParameters(variantId === '' ? {} : { variant: variantId });
  };
  return (
    <div class="workbench">
      <div class="workbench-form">
        <section class="panel form" aria-label="Preview data">
          {step.variants.length > 0 && <ContentChoice step={step} chosen={variant?._id ?? ''} onChoice={choose} />}
          <JsonEditor
            label="Payload"
            text={payload}
            onText={setPayload}
            note="The values that the templates use. Starts with sample values."
          />
          <WhoFields {...{ subscriber, tenant, locale, setSubscriber, setTenant, setLocale }} />
          <DraftTexts key={variant?._id} template={template} drafts={drafts} onDrafts={setDrafts} />
        </section>
        <TestSend
          workflow={workflow}
          step={step}
          sample={body}
          isFaulty={fault !== undefined}
          isDraft={Object.keys(drafts).length > 0}
        />
      </div>
      <Rendered
        workflowId={workflow._id}
        step={step}
        body={drafted}
        isFaulty={fault !== undefined}
        template={{ ...template, ...drafts }}
      />
    </div>
  );
}

interface ChoiceProps {
  readonly step: Step;
  /** Id of the variant; empty for the step itself. */
  readonly chosen: string;
  readonly onChoice: (variantId: string) => void;
}

function ContentChoice({ step, chosen, onChoice }: ChoiceProps): VNode {
  return (
    <SelectField
      label="Content"
      value={chosen}
      choices={[
        { value: '', label: 'Default content' },
        ...step.variants.map(({ _id, name }, at) => ({ value: _id, label: name ?? `Variant ${at + 1}` })),
      ]}
      onChange={onChoice}
    />
  );
}

interface WhoProps {
  readonly subscriber: string;
  readonly tenant: string;
  readonly locale: string;
  readonly setSubscriber: (subscriberId: string) => void;
  readonly setTenant: (identifier: string) => void;
  readonly setLocale: (locale: string) => void;
}

function WhoFields({ subscriber, tenant, locale, setSubscriber, setTenant, setLocale }: WhoProps): VNode {
  return (
    <div class="two-fields">
      <TextField
        label="Subscriber id"
        placeholder="A sample subscriber"
        value={subscriber}
        onChange={(text) => setSubscriber(text.trim())}
      />
      <TextField
        label="Tenant identifier"
        placeholder="None"
        value={tenant}
        onChange={(text) => setTenant(text.trim())}
      />
      <TextField
        label="Locale"
        placeholder="That of the subscriber"
        value={locale}
        onChange={(text) => setLocale(text.trim())}
      />
    </div>
  );
}

interface RenderedProps {
  readonly workflowId: string;
  readonly step: Step;
  readonly body: Preview;
  /** The payload cannot be read: what was rendered before stays. */
  readonly isFaulty: boolean;
  readonly template: object;
}

function Rendered({ workflowId, step, body, isFaulty, template }: RenderedProps): VNode {
  const api = useApi();
  const valid = useLast(isFaulty ? undefined : JSON.stringify(body)) ?? '{}';
  const settled = useSettled(valid);
  const query = useQuery(settled, (signal) => {
    const path = { workflowId, stepId: step._id };
    const sent = JSON.parse(settled) as Preview;
    return dataOf(
      api.POST('/v1/workflows/{workflowId}/steps/{stepId}/preview', { params: { path }, body: sent, signal }),
    );
  });
  const shown = useLast(query.data);
  return (
    <section class="panel workbench-result" aria-label="Preview" aria-busy={query.data === undefined}>
      <h2>{typeLabel(step.template.type)}</h2>
      <Loaded query={query.failure ? query : { ...query, data: shown }}>
        {(preview) => <PreviewResult preview={preview} template={template} />}
      </Loaded>
    </section>
  );
}

/** A text that changes once it has not changed for a while: requests wait until typing pauses. */
function useSettled(text: string, afterMs = 350): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(text), afterMs);
    return () => window.clearTimeout(timer);
  }, [text, afterMs]);
  return settled;
}

/** The last value that was known, while the next one is on its way. */
function useLast<T>(value: T | undefined): T | undefined {
  const last = useRef<T>();
  if (value !== undefined) last.current = value;
  return last.current;
}
