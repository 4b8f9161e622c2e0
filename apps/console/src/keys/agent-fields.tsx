import type { VNode } from 'preact';
import { useId } from 'preact/hooks';
import { TextField } from '../ui/fields.js';
import { type Week, workWeek } from '../ui/week.js';
import { WeekHours } from '../ui/week-hours.js';
import { AGENT_NUMBERS, type Limits } from './agent-words.js';

interface Props {
  /** Those of a key that is there already. */
  readonly limits?: Limits | undefined;
  /** When the agent may send; undefined: at any time. */
  readonly week: Week | undefined;
  readonly onWeek: (week: Week | undefined) => void;
}

/** What the agent may do without a person. */
export function AgentFields({ limits, week, onWeek }: Props): VNode {
  const hours = useId();
  return (
    <fieldset class="scopes">
      <legend>Limits</legend>
      <div class="two-fields">
        {AGENT_NUMBERS.map(({ name, label, usual }) => (
          <TextField
            key={name}
            label={label}
            name={name}
            path={`limits.${name}`}
            type="number"
            value={String(limits?.[name] ?? usual)}
          />
        ))}
      </div>
      <TextField
        label="Subscribers who are asked as well"
        name="approvers"
        path="limits.approvers"
        value={limits?.approvers.join(', ') ?? ''}
        placeholder="ada, grace"
        note="What is larger waits under Questions until a person of the console or one of these says yes."
      />
      <label class="check" for={hours}>
        <input
          id={hours}
          type="checkbox"
          checked={week !== undefined}
          onChange={({ currentTarget: { checked } }) => onWeek(checked ? workWeek() : undefined)}
        />
        <span>Sends in certain hours only</span>
      </label>
      {week && (
        <>
          <TextField
            label="Time zone"
            name="timezone"
            path="limits.sendWindow.timezone"
            value={limits?.sendWindow ? (limits.sendWindow.timezone ?? 'UTC') : ownZone()}
          />
          <WeekHours week={week} onChange={(next) => onWeek(next)} />
        </>
      )}
    </fieldset>
  );
}

function ownZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
