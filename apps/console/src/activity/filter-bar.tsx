import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { workflowNames } from './workflow-names.js';
import type { Schemas } from '../api/client.js';
import { useStepTypes } from '../step-types/step-types.js';
import { SelectField, TextField } from '../ui/fields.js';
import { type Filters, isFiltered, NO_FILTERS, PERIODS } from './filters.js';

const STATUSES = [
  { value: '', label: 'Any status' },
  { value: 'failed', label: 'Failed' },
  { value: 'dead', label: 'Not delivered (no attempts left)' },
  { value: 'uncertain', label: 'May be delivered (outcome unknown)' },
  { value: 'active', label: 'Active' },
  { value: 'completed', label: 'Completed' },
  { value: 'canceled', label: 'Canceled' },
  { value: 'merged', label: 'Merged into a digest' },
];

const RANGE = 'range';

interface Props {
  readonly filters: Filters;
  readonly workflows: readonly Schemas['WorkflowSummaryResponse'][];
  readonly onFilters: (filters: Filters) => void;
}

/** The filters of the list. Each takes effect when it is chosen, or left. */
export function FilterBar({ filters, workflows, onFilters }: Props): VNode {
  const types = useStepTypes();
  const [isRange, setRange] = useState(filters.from !== '' || filters.to !== '');
  const set = (change: Partial<Filters>): void => onFilters({ ...filters, ...change });
  const field = (name: 'search' | 'subscriber' | 'transaction' | 'from' | 'to') => ({
    value: filters[name],
    onChange: (value: string) => set({ [name]: value.trim() }),
  });
  const select = (name: 'status' | 'channel' | 'workflow') => ({
    value: filters[name],
    onChange: (value: string) => set({ [name]: value }),
  });
  const choosePeriod = (value: string): void => {
    setRange(value === RANGE);
    set({ period: value === RANGE ? '' : value, ...(value !== RANGE && { from: '', to: '' }) });
  };
  return (
    <search class="filters" aria-label="Filters">
      <TextField label="Search" type="search" placeholder="Name, id or email" {...field('search')} />
      <SelectField label="Status" choices={STATUSES} {...select('status')} />
      <SelectField
        label="Channel"
        choices={[{ value: '', label: 'Any' }, ...types.map(({ type, label }) => ({ value: type, label }))]}
        {...select('channel')}
      />
      <SelectField label="Workflow" choices={workflowChoices(workflows, filters.workflow)} {...select('workflow')} />
      <TextField label="Subscriber id" {...field('subscriber')} />
      <TextField label="Transaction id" {...field('transaction')} />
      <SelectField
        label="Time"
        value={isRange ? RANGE : filters.period}
        choices={[
          { value: '', label: 'Any time' },
          ...Object.entries(PERIODS).map(([value, { label }]) => ({ value, label })),
          { value: RANGE, label: 'Custom range' },
        ]}
        onChange={choosePeriod}
      />
      {isRange && <TextField label="From" type="datetime-local" {...field('from')} />}
      {isRange && <TextField label="To" type="datetime-local" {...field('to')} />}
      {isFiltered(filters) && (
        <button
          type="button"
          class="quiet clear"
          onClick={() => {
            setRange(false);
            onFilters(NO_FILTERS);
          }}
        >
          Clear filters
        </button>
      )}
    </search>
  );
}

function workflowChoices(
  workflows: Props['workflows'],
  chosen: string,
): { readonly value: string; readonly label: string }[] {
  const nameOf = workflowNames(workflows);
  const known = workflows.map((one) => ({ value: one._id, label: `${nameOf(one)}${one.active ? '' : ' (inactive)'}` }));
  const isKnown = chosen === '' || known.some(({ value }) => value === chosen);
  return [{ value: '', label: 'Any workflow' }, ...known, ...(isKnown ? [] : [{ value: chosen, label: chosen }])];
}
