import type { VNode } from 'preact';
import { ActionButton, ActionFields } from '../access/action-button.js';
import type { Failure } from '../api/failure.js';
import { FaultScope, Field, TextField } from '../ui/fields.js';
import { type Alerts, type AlertsChange, changeIn, KINDS } from './alert-words.js';

interface Props {
  readonly alerts: Alerts;
  readonly isBusy: boolean;
  readonly failure: Failure | undefined;
  readonly onSave: (change: AlertsChange, done: string) => void;
}

/** What is told, when, and to whom. */
export function AlertsForm({ alerts, isBusy, failure, onSave }: Props): VNode {
  return (
    <section class="panel" aria-labelledby="alert-settings">
      <h2 id="alert-settings">Settings</h2>
      <form
        class="form alerts-form"
        onSubmit={(event) => {
          event.preventDefault();
          onSave(changeIn(new FormData(event.currentTarget)), 'The alerts are changed.');
        }}
      >
        <ActionFields needs="updateAlerts" class="form">
          <FaultScope value={failure?.faults ?? []}>
            <Kinds chosen={alerts.kinds} />
            <div class="two-fields">
              <NumberField
                label="Tell if so many percent fail"
                name="failurePercent"
                value={alerts.failurePercent}
                max={100}
              />
              <NumberField
                label="Tell if late by so many minutes"
                name="lateMinutes"
                value={alerts.lateMinutes}
                max={1_440}
              />
            </div>
            <div class="two-fields">
              <Field label="Time of the report" path="reportAt">
                {(id) => <input id={id} name="reportAt" type="time" required defaultValue={alerts.reportAt} />}
              </Field>
              <TextField label="Time zone of the report" name="timezone" value={alerts.timezone} />
            </div>
            <div class="two-fields">
              <TextField label="Topic" name="topic" value={alerts.topic} note="Its members are told." />
              <TextField
                label="Add subscribers"
                name="subscribers"
                value=""
                placeholder="ada, grace"
                note="Ids with commas in between. They become members of the topic."
              />
            </div>
          </FaultScope>
        </ActionFields>
        <div>
          <ActionButton needs="updateAlerts" type="submit" class="primary" disabled={isBusy}>
            Save
          </ActionButton>
        </div>
      </form>
    </section>
  );
}

function Kinds({ chosen }: { readonly chosen: Alerts['kinds'] }): VNode {
  return (
    <fieldset class="scopes">
      <legend>What is told</legend>
      {KINDS.map(({ kind, words }) => (
        <label key={kind} class="check">
          <input type="checkbox" name="kinds" value={kind} defaultChecked={chosen.includes(kind)} />
          <span>{words}</span>
        </label>
      ))}
    </fieldset>
  );
}

interface NumberProps {
  readonly label: string;
  readonly name: string;
  readonly value: number;
  readonly max: number;
}

function NumberField({ label, name, value, max }: NumberProps): VNode {
  return (
    <Field label={label} path={name}>
      {(id) => <input id={id} name={name} type="number" required min={1} max={max} defaultValue={String(value)} />}
    </Field>
  );
}
