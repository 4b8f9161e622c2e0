import type { VNode } from 'preact';
import type { Schemas } from '../api/client.js';
import { plainWords } from '../api/plain-words.js';
import { Raw } from '../ui/raw.js';
import { Status, StatusMark } from '../ui/status.js';
import { Moment } from '../ui/time.js';
import { durationOf } from '../durations.js';
import { InvalidAddress } from './invalid-address.js';
import { refusedAddress } from './explain.js';
import { MessageView } from './message-view.js';
import { type Entry, operatorLabel, timeLineOf } from './time-line.js';
import { type Job, jobWord, providerLabel, typeLabel } from './words.js';

interface Props {
  readonly number: number;
  readonly job: Job;
  readonly subscriberId: string | undefined;
  readonly messages: readonly Schemas['ListedMessageResponse'][];
  readonly onChange: () => void;
}

/** One step: how it ended and why, what happened in it, and its messages. */
export function StepPanel({ number, job, subscriberId, messages, onChange }: Props): VNode {
  const { explanation } = job;
  const channel = refusedAddress(job);
  return (
    <li class="panel step-panel">
      <header class="step-head">
        <h2>
          <span class="soft">{number}.</span> {typeLabel(job.type)}
          {job.step.name && <span class="soft"> {job.step.name}</span>}
        </h2>
        <Status {...jobWord(job)} />
        <span class="soft">{summaryOf(job)}</span>
      </header>
      {explanation && (
        <div class={job.status === 'failed' || job.status === 'completed' ? 'notice bad' : 'notice warn'}>
          <p>
            <strong>{plainWords(explanation.title)}</strong>
          </p>
          {explanation.text !== undefined && <p class="words">{plainWords(explanation.text)}</p>}
          <p>{plainWords(explanation.remedy)}</p>
          {channel && subscriberId !== undefined && (
            <InvalidAddress subscriberId={subscriberId} channel={channel} onChange={onChange} />
          )}
        </div>
      )}
      {job.history && job.history.conditions.length > 0 && <Conditions conditions={job.history.conditions} />}
      {job.history?.preference?.settings !== undefined && (
        <details>
          <summary>Compared settings</summary>
          <Raw value={job.history.preference.settings} label="Settings" />
        </details>
      )}
      {messages.map((message) => (
        <MessageView key={message._id} message={message} />
      ))}
      <TimeLine entries={timeLineOf(job)} isOpen={messages.length === 0 || job.status === 'failed'} />
    </li>
  );
}

function summaryOf({ providerId, status, dueAt, startedAt, finishedAt, replays, attempt }: Job): string {
  const took = startedAt && finishedAt ? Date.parse(finishedAt) - Date.parse(startedAt) : undefined;
  const parts = [
    providerId && providerLabel(providerId),
    attempt > 1 && `${attempt} attempts`,
    replays !== undefined && (replays === 1 ? '1 replay' : `${replays} replays`),
    status === 'completed' && took !== undefined && replays === undefined && `took ${durationOf(took)}`,
    status === 'delayed' && dueAt && `until ${new Date(dueAt).toLocaleString('en-GB')}`,
  ];
  return parts.filter((part) => typeof part === 'string' && part !== '').join(' · ');
}

export function Conditions({ conditions }: { conditions: readonly Schemas['JobConditionResponse'][] }): VNode {
  return (
    <table class="table conditions">
      <caption class="unseen">Step conditions</caption>
      <thead>
        <tr>
          <th scope="col">Condition</th>
          <th scope="col">Actual</th>
          <th scope="col">Result</th>
        </tr>
      </thead>
      <tbody>
        {conditions.map(({ filter, field, operator, expected, actual, passed }) => (
          <tr key={`${filter} ${field} ${operator} ${expected}`}>
            <td data-label="Condition">
              <span>
                {filter} <code>{field}</code> {operatorLabel(operator)} <code>{expected}</code>
              </span>
            </td>
            <td data-label="Actual">
              <code>{actual === '' ? '(empty)' : actual}</code>
            </td>
            <td data-label="Result">
              <Status tone={passed ? 'good' : 'warn'} label={passed ? 'Met' : 'Not met'} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function TimeLine({ entries, isOpen }: { entries: readonly Entry[]; isOpen: boolean }): VNode {
  return (
    <details open={isOpen}>
      <summary>Timeline ({entries.length})</summary>
      <ol class="time-line">
        {entries.map(({ id, at, tone, title, words, wait, raw }) => (
          <li key={id}>
            <span class="soft time">
              <Moment at={at} isShort />
            </span>
            <StatusMark tone={tone} />
            <div>
              <p>
                <span class={tone === 'bad' || tone === 'warn' ? 'strong' : undefined}>{title}</span>
                {wait !== undefined && <span class="soft"> {wait}</span>}
              </p>
              {words !== undefined && <p class="words">{words}</p>}
              {raw !== undefined && (
                <details>
                  <summary class="note">Details</summary>
                  <Raw value={raw} label="Details" />
                </details>
              )}
            </div>
          </li>
        ))}
      </ol>
    </details>
  );
}
