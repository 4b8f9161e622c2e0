import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { Conditions } from '../activity/step-panel.js';
import { providerLabel, typeLabel } from '../activity/words.js';
import { ChannelGlyph } from '../ui/channel-glyph.js';
import { Status } from '../ui/status.js';
import { Moment } from '../ui/time.js';
import {
  budgetWords,
  changeWords,
  type DryRun,
  type DryStep,
  dryExplanation,
  dryStepWord,
  preferenceWords,
  type Recipient,
  recipientWord,
  refusedWords,
  throttleWords,
} from './dry-run-words.js';
import { Message } from './preview-result.js';
import type { Workflow } from './workflow-words.js';

interface Props {
  readonly result: DryRun;
  readonly workflow: Workflow;
}

export function DryRunResult({ result, workflow }: Props): VNode {
  const { reason, recipients, topics, listed, attachments } = result;
  const refused = refusedWords(result);
  const members = topics.reduce((sum, { subscribers }) => sum + subscribers, 0);
  return (
    <>
      {refused !== undefined && (
        <div class="notice warn" role="status">
          <p>
            <strong>{refused}</strong>
          </p>
          {reason && <p>{reason}</p>}
        </div>
      )}
      {refused === undefined && (
        <p class="dry-summary" role="status">
          {countWords(listed + members, recipients.length)}
          {topics.map(
            ({ topicKey, subscribers }) => ` Topic ${topicKey} has ${subscribers.toLocaleString('en')} subscribers.`,
          )}
          {attachments.length > 0 && ` Attached: ${attachments.map(({ name }) => name).join(', ')}.`} Nothing was sent.
        </p>
      )}
      {recipients.map((recipient) => (
        <RecipientPanel key={recipient.subscriberId} recipient={recipient} workflow={workflow} />
      ))}
    </>
  );
}

function countWords(total: number, shown: number): string {
  if (total === 0) return 'There are no recipients.';
  const recipients = `${total.toLocaleString('en')} ${total === 1 ? 'recipient' : 'recipients'}`;
  return shown < total ? `${recipients}, ${shown} of them shown.` : `${recipients}.`;
}

function RecipientPanel({ recipient, workflow }: { recipient: Recipient; workflow: Workflow }): VNode {
  const change = changeWords(recipient);
  return (
    <section class="panel" aria-label={`Recipient ${recipient.subscriberId}`}>
      <header class="step-head">
        <h2>
          {recipient.subscriberChange === 'create' ? (
            recipient.subscriberId
          ) : (
            <Link href={`/subscribers/${encodeURIComponent(recipient.subscriberId)}`}>{recipient.subscriberId}</Link>
          )}
        </h2>
        <Status {...recipientWord(recipient)} />
        {change !== '' && <span class="soft">{change}</span>}
      </header>
      <ol class="flow">
        {recipient.steps.map((step) => (
          <StepResult key={step._id} step={step} number={numberOf(step, workflow)} />
        ))}
      </ol>
    </section>
  );
}

function numberOf({ _id }: DryStep, { steps }: Workflow): number {
  return steps.findIndex((step) => step._id === _id) + 1;
}

function StepResult({ step, number }: { step: DryStep; number: number }): VNode {
  const { type, name, until, messages } = step;
  const word = dryStepWord(step);
  return (
    <li class="flow-step">
      <span class={`flow-mark ${word.tone}`}>
        <ChannelGlyph type={type} />
      </span>
      <div class="flow-body">
        <header class="step-head">
          <h3>
            {number > 0 && <span class="soft">{number}.</span>} {typeLabel(type)}
            {name && <span class="soft"> {name}</span>}
          </h3>
          <Status {...word} />
          {until && (
            <span class="soft">
              until <Moment at={until} isShort />
            </span>
          )}
        </header>
        <Decisions step={step} />
        {messages.map((message, at) => (
          <DryMessage key={at} message={message} />
        ))}
      </div>
    </li>
  );
}

/** A message that would be sent. There can be many, so it is drawn when it is opened. */
function DryMessage({ message }: { message: DryStep['messages'][number] }): VNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="message" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {message.channel === 'in_app' ? 'In-app feed' : providerLabel(message.providerId ?? '')}
        {message.to && message.to.length > 0 && ` to ${message.to.join(', ')}`}
        {message.devices !== undefined && ` to ${message.devices} ${message.devices === 1 ? 'device' : 'devices'}`}
        {(message.subject ?? message.title) && `: ${message.subject ?? message.title}`}
      </summary>
      {isOpen && <Message message={message} kind={message.channel} />}
    </details>
  );
}

/** Why the step would be sent, or not. */
function Decisions({ step }: { step: DryStep }): VNode {
  const { conditions, preference, integrations, digest, throttle, budget, wait, isWithinSchedule } = step;
  const explanation = dryExplanation(step);
  return (
    <>
      {explanation && (
        <div class={step.status === 'failed' ? 'notice bad' : 'notice warn'}>
          <p>
            <strong>{explanation.title}</strong>
          </p>
          {explanation.text !== undefined && <p class="words">{explanation.text}</p>}
          <p>{explanation.remedy}</p>
        </div>
      )}
      {conditions && conditions.conditions.length > 0 && (
        <Decision label="Conditions" isPassed={conditions.passed}>
          <Conditions conditions={conditions.conditions} />
        </Decision>
      )}
      {step.variants.map(({ variantId, name: variant, conditions: evaluated }) => (
        <Decision key={variantId} label={`Variant ${variant ?? ''}`} isPassed={evaluated.passed} isFolded>
          <Conditions conditions={evaluated.conditions} />
        </Decision>
      ))}
      {preference?.allowed && (
        <p>
          <span class="soft">Preferences:</span> {preferenceWords(preference)}
        </p>
      )}
      {isWithinSchedule === false && (
        <p>
          <span class="soft">Schedule:</span> outside the subscriber&rsquo;s delivery hours
        </p>
      )}
      {digest && (
        <p>
          <span class="soft">Digest:</span> {digestWords(digest)}
        </p>
      )}
      {wait && (
        <p>
          <span class="soft">Wait:</span> for {wait.event}, until <Moment at={wait.until} isShort />; shown as if it{' '}
          {wait.outcome === 'matched' ? 'came at once' : 'did not come'}
        </p>
      )}
      {throttle && (
        <p>
          <span class="soft">Throttle:</span> {throttleWords(throttle)}; the window ends{' '}
          <Moment at={throttle.opensAt} isShort />
        </p>
      )}
      {budget && <BudgetDecision budget={budget} />}
      {integrations.length > 0 && <Integrations integrations={integrations} />}
    </>
  );
}

function BudgetDecision({ budget }: { readonly budget: NonNullable<DryStep['budget']> }): VNode {
  return (
    <p>
      <span class="soft">Budget:</span> {budgetWords(budget)}
      {budget.budgets.map(
        ({ name, opensAt }) =>
          opensAt && (
            <span key={name}>
              ; opens again <Moment at={opensAt} isShort />
            </span>
          ),
      )}
    </p>
  );
}

interface DecisionProps {
  readonly label: string;
  readonly isPassed: boolean;
  /** Not decisive: it stays closed also if it is not met. */
  readonly isFolded?: boolean;
  readonly children: VNode;
}

function Decision({ label, isPassed, isFolded = false, children }: DecisionProps): VNode {
  return (
    <details open={!isPassed && !isFolded}>
      <summary>
        {label}: {isPassed ? 'met' : 'not met'}
      </summary>
      {children}
    </details>
  );
}

function digestWords({ notificationId, collected }: NonNullable<DryStep['digest']>): VNode {
  if (notificationId === undefined) return <>this event would begin a new one</>;
  return (
    <>
      this event would join{' '}
      <Link href={`/notifications/${notificationId}`}>a digest with {collected.toLocaleString('en')} so far</Link>
    </>
  );
}

function Integrations({ integrations }: Pick<DryStep, 'integrations'>): VNode {
  return (
    <div class="flow-line">
      <span class="soft">Integrations in order:</span>
      <ol class="tried">
        {integrations.map(({ _id, identifier, providerId, isChosen }) => (
          <li key={_id}>
            {providerLabel(providerId)} <code class="soft">{identifier}</code>
            {!isChosen && <span class="warn-text"> not for this tenant</span>}
          </li>
        ))}
      </ol>
    </div>
  );
}
