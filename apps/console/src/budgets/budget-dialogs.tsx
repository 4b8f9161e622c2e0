import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { useWorkflows } from '../activity/use-workflows.js';
import { typeLabel } from '../activity/words.js';
import { bodyOf, dataOf } from '../api/client.js';
import { useApi } from '../session.js';
import { Confirm } from '../ui/dialog.js';
import { Field, RequiredField, SelectField } from '../ui/fields.js';
import { useToast } from '../ui/toasts.js';
import { bodyIn, type Budget, CHANNELS } from './budget-words.js';

interface Props {
  readonly onClose: () => void;
  readonly onDone: () => void;
}

const WINDOWS = [
  { value: 'day', label: "A calendar day of the subscriber's time zone" },
  { value: 'rolling', label: 'Any stretch of a length' },
];
const UNITS = ['minutes', 'hours', 'days'].map((value) => ({ value, label: value }));
const OVER = [
  { value: 'drop', label: 'Are not sent' },
  { value: 'hold', label: 'Are held, and come as one digest' },
];

/** The fields of a budget, in a dialog. @param budget undefined: a new one */
export function BudgetDialog({ budget, onClose, onDone }: Props & { readonly budget: Budget | undefined }): VNode {
  const api = useApi();
  const toast = useToast();
  const [window, setWindow] = useState<string>(budget?.window ?? 'day');
  const [unit, setUnit] = useState<string>(budget?.unit ?? 'hours');
  const [over, setOver] = useState<string>(budget?.over ?? 'drop');
  const save = async (form: FormData): Promise<void> => {
    const body = bodyIn(form);
    if (budget === undefined) await dataOf(api.POST('/v1/budgets', { body }));
    else await dataOf(api.PUT('/v1/budgets/{budgetId}', { params: { path: { budgetId: budget._id } }, body }));
    toast('The budget is saved.');
    onDone();
  };
  return (
    <Confirm
      title={budget === undefined ? 'New budget' : `Change ${budget.name}`}
      action="Save"
      onClose={onClose}
      onConfirm={save}
    >
      <RequiredField label="Name" name="name" value={budget?.name} />
      <Channels chosen={budget?.channels ?? []} />
      <Field label="At most" note="Messages of one subscriber, over all workflows. Critical workflows always pass.">
        {(id, describedBy) => (
          <input
            id={id}
            name="max"
            type="number"
            required
            min={1}
            max={500}
            defaultValue={String(budget?.max ?? 5)}
            aria-describedby={describedBy}
          />
        )}
      </Field>
      <SelectField label="In which time" name="window" value={window} choices={WINDOWS} onChange={setWindow} />
      {window === 'rolling' && (
        <div class="two-fields">
          <Field label="Length">
            {(id) => (
              <input id={id} name="amount" type="number" required min={1} defaultValue={String(budget?.amount ?? 1)} />
            )}
          </Field>
          <SelectField label="Unit" name="unit" value={unit} choices={UNITS} onChange={setUnit} />
        </div>
      )}
      <SelectField label="Messages over it" name="over" value={over} choices={OVER} onChange={setOver} />
      {over === 'hold' && <DigestWorkflow chosen={budget?.digestWorkflow} />}
      <label class="check">
        <input type="checkbox" name="active" defaultChecked={budget?.active !== false} />
        <span>Active</span>
      </label>
    </Confirm>
  );
}

function Channels({ chosen }: { readonly chosen: readonly string[] }): VNode {
  return (
    <fieldset class="scopes">
      <legend>Messages of</legend>
      {CHANNELS.map((channel) => (
        <label key={channel} class="check">
          <input type="checkbox" name="channels" value={channel} defaultChecked={chosen.includes(channel)} />
          <span>{typeLabel(channel)}</span>
        </label>
      ))}
      <p class="note">They are counted together. None: email, SMS, push and chat.</p>
    </fieldset>
  );
}

function DigestWorkflow({ chosen }: { readonly chosen: string | undefined }): VNode {
  const [value, setValue] = useState(chosen);
  const known = useWorkflows().flatMap(({ name, triggers }) => {
    const identifier = triggers[0]?.identifier;
    return identifier === undefined ? [] : [{ value: identifier, label: name }];
  });
  const isListed = chosen === undefined || known.some((one) => one.value === chosen);
  const choices = isListed ? known : [...known, { value: chosen, label: chosen }];
  return (
    <SelectField
      label="Workflow that sends the digest"
      name="digestWorkflow"
      value={value ?? choices[0]?.value ?? ''}
      choices={choices}
      onChange={setValue}
    />
  );
}

export function DeleteBudgetDialog({ budget, onClose, onDone }: Props & { readonly budget: Budget }): VNode {
  const api = useApi();
  const toast = useToast();
  const remove = async (): Promise<void> => {
    await bodyOf(api.DELETE('/v1/budgets/{budgetId}', { params: { path: { budgetId: budget._id } } }));
    toast(`The budget ${budget.name} no longer applies.`);
    onDone();
  };
  return (
    <Confirm title={`Delete ${budget.name}`} action="Delete" isDangerous onClose={onClose} onConfirm={remove}>
      <p>Messages are no longer counted by it. What it holds is sent at once, each message by itself.</p>
    </Confirm>
  );
}
