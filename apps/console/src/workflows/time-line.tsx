import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { typeLabel } from '../activity/words.js';
import { ChannelFrame } from '../ui/channel-frame.js';
import { ChannelGlyph } from '../ui/channel-glyph.js';
import { SelectField } from '../ui/fields.js';
import { Status } from '../ui/status.js';
import { Moment } from '../ui/time.js';
import { type DryRun, type DryStep, dryExplanation, dryStepWord, type Recipient } from './dry-run-words.js';
import { type Stop, stopsOf } from './time-line-stops.js';

/** What becomes of the events that steps wait for, by the `uuid` of the step. */
export type Waits = Readonly<Record<string, 'matched' | 'timed_out'>>;

interface Props {
  readonly result: DryRun;
  readonly waits: Waits;
  readonly isBusy: boolean;
  readonly onWaits: (waits: Waits) => void;
}

/** What one person would get, moment by moment, with the messages as they look. */
export function TimeLine({ result, waits, isBusy, onWaits }: Props): VNode | null {
  const [person, setPerson] = useState('');
  const recipient = result.recipients.find(({ subscriberId }) => subscriberId === person) ?? result.recipients[0];
  if (recipient === undefined) return null;
  const waiting = recipient.steps.filter(({ wait }) => wait !== undefined);
  return (
    <section class="panel time-line" aria-label="Time line" aria-busy={isBusy}>
      <h2>What {recipient.subscriberId} would get, and when</h2>
      <div class="two-fields">
        {result.recipients.length > 1 && (
          <SelectField
            label="Person"
            value={recipient.subscriberId}
            choices={result.recipients.map(({ subscriberId: id }) => ({ value: id, label: id }))}
            onChange={setPerson}
          />
        )}
        {waiting.map(({ uuid, wait }) => (
          <SelectField
            key={uuid}
            label={`While it waits for ${wait?.event ?? ''}`}
            value={waits[uuid] ?? 'timed_out'}
            choices={[
              { value: 'timed_out', label: 'It does not happen' },
              { value: 'matched', label: 'It happens at once' },
            ]}
            onChange={(outcome) => onWaits({ ...waits, [uuid]: outcome === 'matched' ? outcome : 'timed_out' })}
          />
        ))}
      </div>
      <Stops key={recipient.subscriberId} recipient={recipient} />
    </section>
  );
}

function Stops({ recipient }: { readonly recipient: Recipient }): VNode {
  const stops = stopsOf(recipient);
  const [chosen, choose] = useState(0);
  const last = stops.length - 1;
  const place = Math.min(chosen, last);
  const stop = stops[place];
  if (stop === undefined) return <p>Nothing would happen.</p>;
  return (
    <>
      {last > 0 && (
        <>
          <input
            class="time-slider"
            type="range"
            min={0}
            max={last}
            step={1}
            value={place}
            aria-label="Moment"
            aria-valuetext={stop.label}
            onInput={(event) => choose(Number(event.currentTarget.value))}
          />
          <div class="time-stops">
            {stops.map(({ label }, at) => (
              <button
                key={label + String(at)}
                type="button"
                class="small quiet"
                aria-pressed={at === place}
                onClick={() => choose(at)}
              >
                {label}
              </button>
            ))}
          </div>
        </>
      )}
      <Happening stop={stop} who={recipient.subscriberId} />
      <NotReached steps={recipient.steps.filter(({ at }) => at === undefined)} />
    </>
  );
}

function Happening({ stop, who }: { readonly stop: Stop; readonly who: string }): VNode {
  return (
    <div aria-live="polite">
      <h3>
        {stop.label}{' '}
        <span class="soft">
          <Moment at={stop.at} isShort />
        </span>
      </h3>
      {stop.steps.map((step) => (
        <StepThen key={step._id} step={step} who={who} />
      ))}
    </div>
  );
}

/** Steps behind the end of the run have no moment. */
function NotReached({ steps }: { readonly steps: readonly DryStep[] }): VNode | null {
  if (steps.length === 0) return null;
  return (
    <div class="time-step">
      <h3>At no time</h3>
      {steps.map((step) => (
        <p key={step._id}>
          {step.name ?? typeLabel(step.type)}{' '}
          <span class="soft">{dryExplanation(step)?.title ?? dryStepWord(step).label}</span>
        </p>
      ))}
    </div>
  );
}

function StepThen({ step, who }: { readonly step: DryStep; readonly who: string }): VNode {
  const { type, name, messages, until } = step;
  const explanation = dryExplanation(step);
  return (
    <div class="time-step">
      <header class="step-head">
        <ChannelGlyph type={type} />
        <strong>{name ?? typeLabel(type)}</strong>
        <Status {...dryStepWord(step)} />
        {until && messages.length === 0 && (
          <span class="soft">
            until <Moment at={until} isShort />
          </span>
        )}
      </header>
      {explanation && <p class="soft">{explanation.title}</p>}
      {messages.map((message, at) => (
        <ChannelFrame key={at} message={{ ...message, type: message.channel }} who={who} />
      ))}
    </div>
  );
}
