import type { VNode } from 'preact';
import { Link } from 'wouter-preact';
import { typeLabel } from '../activity/words.js';
import type { Schemas } from '../api/client.js';
import { groupWords } from '../conditions/condition-words.js';
import { ConditionsView } from '../conditions/conditions-view.js';
import { armsAround } from '../drafts/places.js';
import { useStepType } from '../step-types/step-types.js';
import { ChannelGlyph } from '../ui/channel-glyph.js';
import { Status } from '../ui/status.js';
import type { StepFigures } from './figure-words.js';
import { StepFiguresLine } from './step-figures.js';
import { sendingWords, summaryWords } from '../step-types/wait-words.js';
import { inputOf, isChannel, type Step, stepTitle, textsOf, type Workflow } from './workflow-words.js';

interface Props {
  readonly number: number;
  readonly step: Step;
  readonly workflow: Workflow;
  /** The active ones, of all channels. */
  readonly integrations: readonly Schemas['IntegrationResponse'][];
  readonly figures: StepFigures | undefined;
}

/** Steps that stand deeper are not moved further in. */
const DEEPEST = 3;

/** One step: when it runs, what it sends and through what, what became of it, and its variants. */
export function StepCard({ number, step, workflow, integrations, figures }: Props): VNode {
  const { template, name, active, shouldStopOnFail, branch, variants, metadata } = step;
  const { type } = template;
  const known = useStepType(type);
  const summary = summaryWords(step, known);
  const base = `/workflows/${workflow._id}/steps/${step._id}`;
  const around = armsAround(workflow.steps, number - 1);
  const decider = workflow.steps[around.at(-1)?.decider ?? -1];
  const groups = groupWords(step.filters, (uuid) => stepTitle(workflow.steps, uuid));
  return (
    <li class={`flow-step in-${Math.min(around.length, DEEPEST)}${active ? '' : ' off'}`}>
      <span class="flow-mark">
        <ChannelGlyph type={type} />
      </span>
      <div class="flow-body">
        <header class="step-head">
          <h3>
            <span class="soft">{number}.</span> {typeLabel(type)}
            {name && <span class="soft"> {name}</span>}
          </h3>
          {!active && <Status tone="idle" label="Inactive, skipped" />}
          {isChannel(type) && (
            <Link class="push-right" href={base}>
              Preview and test
            </Link>
          )}
        </header>
        {branch && (
          <p class="note">
            Only for those who take the arm “{branch.arm}” of {decider && stepTitle(workflow.steps, decider.uuid)}.
          </p>
        )}
        {groups.length > 0 && (
          <div class="flow-line">
            <span class="soft">Only if</span> <ConditionsView groups={groups} />
          </div>
        )}
        {!isChannel(type) && summary && <p>{summary}</p>}
        {sendingWords(metadata) && <p class="note">{sendingWords(metadata)}.</p>}
        {isChannel(type) && <Texts template={template} />}
        {!isChannel(type) && <Fields texts={inputOf(template)} />}
        {isChannel(type) && type !== 'in_app' && <SentThrough channel={type} integrations={integrations} />}
        {shouldStopOnFail && <p class="note">If this step fails, the following steps do not run.</p>}
        {figures && <StepFiguresLine figures={figures} />}
        {variants.length > 0 && <VariantList step={step} workflow={workflow} base={base} />}
      </div>
    </li>
  );
}

interface VariantsProps extends Pick<Props, 'step' | 'workflow'> {
  /** Address of the step. */
  readonly base: string;
}

/** What is sent instead, or of a branch, its arms. */
function VariantList({ step: { template, variants }, workflow, base }: VariantsProps): VNode {
  const isSent = isChannel(template.type);
  const words = isSent ? 'sent instead' : 'taken';
  return (
    <ol class="variants" aria-label={`Variants; the first one whose conditions pass is ${words}`}>
      {variants.map((variant, at) => (
        <li key={variant._id}>
          <p>
            <strong>{variant.name ?? `Variant ${at + 1}`}</strong> <span class="soft">{words} if</span>{' '}
            {isSent && <Link href={`${base}?variant=${variant._id}`}>Preview</Link>}
          </p>
          <ConditionsView groups={groupWords(variant.filters, (uuid) => stepTitle(workflow.steps, uuid))} />
          {isSent && <Texts template={variant.template} />}
        </li>
      ))}
    </ol>
  );
}

function Texts({ template }: { template: Step['template'] }): VNode {
  const texts = textsOf(template);
  const content = texts.find(([name]) => name === 'Content');
  const heads = texts.filter((text) => text !== content);
  return (
    <>
      <Fields texts={heads} />
      {content && content[1].length <= 160 && !content[1].includes('\n') && <p class="words">{content[1]}</p>}
      {content && (content[1].length > 160 || content[1].includes('\n')) && (
        <details>
          <summary class="note">Template ({content[1].length.toLocaleString('en')} characters)</summary>
          <pre class="raw" tabIndex={0} aria-label="Template">
            {content[1]}
          </pre>
        </details>
      )}
      {template.cta?.data?.url && (
        <p class="note">
          Links to <code>{template.cta.data.url}</code>
        </p>
      )}
    </>
  );
}

function Fields({ texts }: { texts: readonly [string, string][] }): VNode | null {
  if (texts.length === 0) return null;
  return (
    <dl class="text-heads">
      {texts.map(([name, text]) => (
        <div key={name}>
          <dt class="soft">{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

function SentThrough({ channel, integrations }: { channel: string } & Pick<Props, 'integrations'>): VNode | null {
  const found = integrations
    .filter((integration) => integration.channel === channel)
    .toSorted((one, other) => Number(other.primary) - Number(one.primary) || other.priority - one.priority);
  if (found.length === 0) return null;
  return (
    <p class="note">
      Sent through{' '}
      {found.map(({ name, primary }) => `${name}${primary && found.length > 1 ? ' (first)' : ''}`).join(', ')}
    </p>
  );
}
