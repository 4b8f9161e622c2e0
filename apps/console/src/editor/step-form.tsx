import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { FaultsOf, SelectField } from '../ui/fields.js';
import { ConditionsEditor } from './conditions-editor.js';
import { newCondition } from './conditions.js';
import { ContentForm, type PlacedFault, type References } from './content-form.js';
import { type ChangedArms, withChanged } from '../drafts/arms.js';
import { armsOf, copiedHere, type DraftStep, moved, readersOf, type Template } from '../drafts/draft.js';
import { withArms } from '../drafts/places.js';
import { HttpForm } from './http-form.js';
import { Check, LiveField } from './live-fields.js';
import { newUuid } from '../drafts/new-uuid.js';
import { RawFields } from './raw-fields.js';
import { RemoveSteps } from './remove-steps.js';
import { typeLabel } from '../activity/words.js';
import { type StepType, useStepType } from '../step-types/step-types.js';
import { summaryWords } from '../step-types/wait-words.js';
import { SchemaForm } from './schema-form.js';
import { kindOf } from './step-kinds.js';
import { titleOf } from '../drafts/step-words.js';
import type { Starter } from './starters.js';
import type { Suggestion } from './suggestions.js';
import { SendWindowFields } from './send-window-fields.js';

const OUTSIDE = [
  { value: '', label: 'As the workflow says' },
  { value: 'skip', label: 'Skip the step' },
  { value: 'wait', label: 'Wait until they begin' },
];

interface Props {
  readonly steps: readonly DraftStep[];
  readonly at: number;
  /** `uuid` of the variant whose content is open; undefined: that of the step. */
  readonly variant: string | undefined;
  readonly references: References;
  readonly payloads: readonly unknown[];
  readonly faults: readonly PlacedFault[];
  readonly suggestions: readonly Suggestion[];
  readonly onVariant: (uuid: string | undefined) => void;
  readonly onSteps: (steps: readonly DraftStep[], about: string) => void;
  readonly onChoice: (uuid: string | undefined) => void;
  readonly onSample: (sample: Starter['sample']) => void;
}

/** Everything of one step. */
export function StepForm(props: Props): VNode {
  const { steps, at, variant: open, payloads, onVariant } = props;
  const step = steps[at] as DraftStep;
  const place = step.variants.findIndex(({ uuid }) => uuid === open);
  const variant = step.variants[place];
  const { set, asking } = useStepChanges(props);
  const setOpen = (change: Partial<DraftStep>, about: string): void => {
    if (variant === undefined) return set(change, about);
    set({ variants: step.variants.with(place, { ...variant, ...change }) }, `${variant.uuid} ${about}`);
  };
  const content = variant ?? step;
  const type = useDeclared(step.template.type);
  const hasTexts = (kindOf(step.template.type)?.texts.length ?? 0) > 0;
  const earlier = steps.slice(0, at);
  const conditions = (
    <ConditionsEditor
      legend={variant ? 'Sent instead if' : 'Only run this step if'}
      groups={content.filters}
      earlier={earlier}
      payloads={payloads}
      onGroups={(filters, about) => setOpen({ filters }, `filters ${about}`)}
    />
  );
  return (
    <section class="step-form form" aria-labelledby="step-form-heading">
      <StepHead {...props} />
      <StepBasics step={step} onStep={set} />
      <ArmField step={step} earlier={earlier} onStep={set} />
      {(hasTexts || type?.canHaveVariants) && (
        <Variants step={step} open={variant?.uuid} onVariant={onVariant} onStep={set} />
      )}
      {type && (
        <FaultsOf path="metadata">
          <p class="note">{type.description}</p>
          <SchemaForm
            key={step.uuid}
            schema={type.metadata}
            values={step.metadata}
            earlier={earlier}
            onValues={(metadata, about) => set({ metadata }, `metadata ${about}`)}
          />
        </FaultsOf>
      )}
      {variant && (
        <>
          <LiveField label="Name of the variant" value={variant.name} onInput={(name) => setOpen({ name }, 'name')} />
          <FaultsOf path={`variants.${place}`}>{conditions}</FaultsOf>
        </>
      )}
      <FaultsOf path={variant ? `variants.${place}.template` : 'template'}>
        <Content {...props} step={content} type={type} earlier={earlier} onStep={setOpen} />
      </FaultsOf>
      {!variant && conditions}
      {!variant && hasTexts && <SendingForm step={step} onStep={set} />}
      <RawFields key={content.uuid} step={content} onStep={setOpen} />
      {asking}
    </section>
  );
}

/** Changes a step, and what stands in its arms with it. Where steps would leave, it asks first. */
function useStepChanges({ steps, at, onSteps }: Props): { set: StepProps['onStep']; asking: VNode | undefined } {
  const [asked, ask] = useState<ChangedArms>();
  const step = steps[at] as DraftStep;
  return {
    set: (change, about) => {
      const changed = withChanged(steps, at, { ...step, ...change });
      if (changed.leaving.length > 0) ask(changed);
      else onSteps(changed.steps, `${step.uuid} ${about}`);
    },
    asking: asked && (
      <RemoveSteps
        kind="arm"
        name={asked.gone.join(', ')}
        inArms={asked.leaving.length}
        readers={readersOf(steps, asked.leaving)}
        onClose={() => ask(undefined)}
        onRemove={() => onSteps(asked.steps, 'remove arm')}
      />
    ),
  };
}

/** Undefined for types that have a form of their own here. */
function useDeclared(type: string): StepType | undefined {
  const declared = useStepType(type);
  return kindOf(type) === undefined ? declared : undefined;
}

type ContentProps = Pick<Props, 'references' | 'faults' | 'suggestions' | 'onSample'> & {
  readonly step: Pick<DraftStep, 'uuid' | 'template' | 'metadata'>;
  /** Of types without a form of their own. */
  readonly type: StepType | undefined;
  readonly earlier: readonly DraftStep[];
  readonly onStep: (change: Partial<DraftStep>, about: string) => void;
};

/** What a step, or one of its variants, sends or does. */
function Content({ step, type, earlier, references, faults, suggestions, onStep, onSample }: ContentProps): VNode {
  const { uuid, template } = step;
  const set = (changed: Template, about: string): void => onStep({ template: changed }, `template ${about}`);
  return (
    <>
      {type && (
        <>
          <SchemaForm
            key={`form ${uuid}`}
            schema={type.template}
            values={template}
            earlier={earlier}
            onValues={(values, about) => set({ ...values, type: template.type }, about)}
          />
          <p class="note" aria-live="polite">
            {summaryWords(step, type)}
          </p>
        </>
      )}
      <ContentForm key={uuid} {...{ template, references, faults, suggestions, onSample }} onTemplate={set} />
      {template.type === 'http_request' && (
        <HttpForm key={`request ${uuid}`} {...{ template, suggestions }} onTemplate={set} />
      )}
    </>
  );
}

/** What the step is; copying and deleting it with what stands in its arms. */
function StepHead({ steps, at, onSteps, onChoice }: Props): VNode {
  const step = steps[at] as DraftStep;
  const [isRemoving, setRemoving] = useState(false);
  const places = withArms(steps, at);
  const block = steps.filter((_, place) => places.has(place));
  const duplicate = (): void => {
    const [copy, ...inArms] = copiedHere(block, newUuid);
    if (copy === undefined) return;
    const named = { ...copy, name: step.name === '' ? '' : `${step.name} copy` };
    onSteps(steps.toSpliced(Math.max(...places) + 1, 0, named, ...inArms), 'duplicate');
    onChoice(copy.uuid);
  };
  const remove = (): void => {
    const left = steps.filter((one) => !block.includes(one));
    onSteps(left, 'remove');
    onChoice((left[at] ?? left[at - 1])?.uuid);
  };
  return (
    <div class="step-form-head">
      <h2 id="step-form-heading">
        {at + 1}. {titleOf(step)} {step.name !== '' && <span class="soft">{typeLabel(step.template.type)}</span>}
      </h2>
      <div class="button-line">
        <button type="button" class="small" onClick={duplicate}>
          Duplicate
        </button>
        <button type="button" class="small danger" onClick={() => setRemoving(true)}>
          Delete…
        </button>
      </div>
      {isRemoving && (
        <RemoveSteps
          kind="step"
          name={titleOf(step)}
          inArms={block.length - 1}
          readers={readersOf(steps, block)}
          onClose={() => setRemoving(false)}
          onRemove={remove}
        />
      )}
    </div>
  );
}

interface StepProps {
  readonly step: DraftStep;
  readonly onStep: (change: Partial<DraftStep>, about: string) => void;
}

function StepBasics({ step, onStep }: StepProps): VNode {
  const label = typeLabel(step.template.type);
  return (
    <>
      <LiveField
        label="Name"
        path="name"
        value={step.name}
        placeholder={label}
        onInput={(name) => onStep({ name }, 'name')}
      />
      <div class="check-line">
        <Check isOn={step.active} onChange={(active) => onStep({ active }, 'active')}>
          Active
        </Check>
        <Check isOn={step.shouldStopOnFail} onChange={(isOn) => onStep({ shouldStopOnFail: isOn }, 'stop')}>
          Stop the workflow if this step fails
        </Check>
      </div>
    </>
  );
}

const SEPARATOR = '\n';

/** In which arm of an earlier branch or split the step stands. */
function ArmField({ step, earlier, onStep }: StepProps & { readonly earlier: readonly DraftStep[] }): VNode | null {
  const arms = earlier.flatMap((one) =>
    armsOf(one).map((arm) => ({ step: one.stepId ?? one.uuid, arm, label: `${titleOf(one)}: ${arm}` })),
  );
  const { branch } = step;
  if (arms.length === 0 && branch === undefined) return null;
  const valueOf = (one: { readonly step: string; readonly arm: string }): string => [one.step, one.arm].join(SEPARATOR);
  return (
    <SelectField
      label="Runs for"
      path="branch"
      value={branch === undefined ? '' : valueOf(branch)}
      choices={[{ value: '', label: 'Everybody' }, ...arms.map((one) => ({ value: valueOf(one), label: one.label }))]}
      onChange={(value) => {
        const [name = '', arm = ''] = value.split(SEPARATOR);
        onStep({ branch: value === '' ? undefined : { step: name, arm } }, 'branch');
      }}
    />
  );
}

/** What a channel step says otherwise than its workflow about times. */
function SendingForm({ step, onStep }: StepProps): VNode {
  const { outsideSchedule, sendWindow, ...others } = step.metadata;
  const set = (metadata: DraftStep['metadata'], about: string): void => onStep({ metadata }, about);
  const isOwn = Boolean(outsideSchedule) || Boolean(sendWindow);
  return (
    <details open={isOwn}>
      <summary>When it is sent</summary>
      <div class="form">
        <SelectField
          label="Outside the subscriber's delivery hours"
          value={outsideSchedule ?? ''}
          choices={OUTSIDE}
          onChange={(value) =>
            set(
              {
                ...others,
                ...(sendWindow && { sendWindow }),
                ...(value !== '' && { outsideSchedule: value as NonNullable<typeof outsideSchedule> }),
              },
              'outsideSchedule',
            )
          }
        />
        <SendWindowFields
          sendWindow={sendWindow ?? undefined}
          onSendWindow={(window, about) =>
            set(
              { ...others, ...(outsideSchedule && { outsideSchedule }), ...(window && { sendWindow: window }) },
              about,
            )
          }
        />
      </div>
    </details>
  );
}

interface VariantsProps {
  readonly step: DraftStep;
  readonly open: string | undefined;
  readonly onVariant: (uuid: string | undefined) => void;
  readonly onStep: (change: Partial<DraftStep>, about: string) => void;
}

/** The contents of a step, of which the first variant whose conditions are met is sent. */
function Variants({ step, open, onVariant, onStep }: VariantsProps): VNode {
  const { variants } = step;
  const at = variants.findIndex(({ uuid }) => uuid === open);
  const add = (): void => {
    const [copy] = copiedHere([{ ...step, variants: [] }], newUuid);
    if (copy === undefined) return;
    const variant = {
      ...copy,
      name: `Variant ${variants.length + 1}`,
      filters: [{ value: 'AND' as const, children: [newCondition()] }],
    };
    onStep({ variants: [...variants, variant] }, 'add variant');
    onVariant(variant.uuid);
  };
  return (
    <div class="variants-line">
      {variants.length > 0 && (
        <SelectField
          label="Content"
          value={open ?? ''}
          choices={[
            { value: '', label: 'Default content' },
            ...variants.map(({ uuid, name }, place) => ({ value: uuid, label: name || `Variant ${place + 1}` })),
          ]}
          onChange={(uuid) => onVariant(uuid === '' ? undefined : uuid)}
        />
      )}
      <div class="button-line">
        <button type="button" class="small" onClick={add}>
          Add variant
        </button>
        {at >= 0 && (
          <>
            <button
              type="button"
              class="small"
              disabled={at === 0}
              onClick={() => onStep({ variants: moved(variants, at, at - 1) }, 'move variant')}
            >
              Try earlier
            </button>
            <button
              type="button"
              class="small quiet"
              onClick={() => {
                onStep({ variants: variants.toSpliced(at, 1) }, 'remove variant');
                onVariant(undefined);
              }}
            >
              Remove variant
            </button>
          </>
        )}
      </div>
    </div>
  );
}
