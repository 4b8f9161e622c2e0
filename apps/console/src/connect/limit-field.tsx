import type { VNode } from 'preact';
import { Field } from '../ui/fields.js';

interface Props {
  /** As it was entered; empty: no limit. */
  readonly limit: string;
  readonly onInput: (limit: string) => void;
}

/** How many messages an integration sends in a second. */
export function LimitField({ limit, onInput }: Props): VNode {
  return (
    <Field label="Messages per second" note="At most, over all processes. Messages above it wait. Empty: no limit.">
      {(id, describedBy) => (
        <input
          id={id}
          type="number"
          min="0.01"
          max="10000"
          step="any"
          value={limit}
          placeholder="no limit"
          aria-describedby={describedBy}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}
