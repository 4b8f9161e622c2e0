import type { VNode } from 'preact';
import { useId } from 'preact/hooks';
import { operatorLabel } from '../activity/time-line.js';
import type { Schemas } from '../api/client.js';
import { SUBSCRIBER_FIELDS } from '../subscribers/subscriber-fields.js';
import { FaultsOf, SelectField } from '../ui/fields.js';
import { stepTitle } from '../workflows/workflow-words.js';
import {
  type Condition,
  groupsOf,
  newCondition,
  readValue,
  type Source,
  SOURCES,
  withSource,
  writtenValue,
} from './conditions.js';
import type { DraftStep, Group } from '../drafts/draft.js';
import { Check, LiveField } from './live-fields.js';
import { pathsOf } from './suggestions.js';

interface Props {
  /** What the conditions decide. */
  readonly legend: string;
  readonly groups: readonly Group[];
  /** Those in front of the step. */
  readonly earlier: readonly DraftStep[];
  /** Payloads of past events: fields and values are suggested from them. */
  readonly payloads: readonly unknown[];
  readonly onGroups: (groups: readonly Group[], about: string) => void;
}

/** Groups of conditions, of which one must pass. */
export function ConditionsEditor({ legend, groups, earlier, payloads, onGroups }: Props): VNode {
  return (
    <fieldset class="conditions-editor">
      <legend>{legend}</legend>
      {groups.length === 0 && <p class="note">No conditions: it always runs.</p>}
      {groups.map((group, at) => (
        <div key={at} class="condition-group" role="group" aria-label={`Group ${at + 1}`}>
          {at > 0 && <p class="joint">or</p>}
          <FaultsOf path={`filters.${at}`}>
            <GroupEditor
              group={group}
              earlier={earlier}
              payloads={payloads}
              onGroup={(next, about) => onGroups(groupsOf(groups.with(at, next)), `${at} ${about}`)}
            />
          </FaultsOf>
        </div>
      ))}
      <button
        type="button"
        class="small"
        onClick={() =>
          onGroups([...groups, { value: 'AND', isNegated: false, children: [newCondition()] }], 'add group')
        }
      >
        {groups.length === 0 ? 'Add condition' : 'Add alternative group'}
      </button>
    </fieldset>
  );
}

interface GroupProps extends Pick<Props, 'earlier' | 'payloads'> {
  readonly group: Group;
  readonly onGroup: (group: Group, about: string) => void;
}

function GroupEditor({ group, earlier, payloads, onGroup }: GroupProps): VNode {
  const { children, value, isNegated } = group;
  return (
    <>
      <div class="condition-group-head">
        {children.length > 1 && (
          <SelectField
            label="Of these conditions"
            value={value ?? 'AND'}
            choices={[
              { value: 'AND', label: 'all must be met' },
              { value: 'OR', label: 'one must be met' },
            ]}
            onChange={(joint) => onGroup({ ...group, value: joint as 'AND' | 'OR' }, 'joint')}
          />
        )}
        <Check isOn={isNegated === true} onChange={(isOn) => onGroup({ ...group, isNegated: isOn }, 'not')}>
          Invert: run if this is not met
        </Check>
      </div>
      {children.map((condition, place) => (
        <FaultsOf key={place} path={`children.${place}`}>
          <ConditionRow
            condition={condition}
            number={place + 1}
            earlier={earlier}
            payloads={payloads}
            onCondition={(next, about) =>
              onGroup({ ...group, children: children.with(place, next) }, `${place} ${about}`)
            }
            onRemove={() => onGroup({ ...group, children: children.toSpliced(place, 1) }, 'remove')}
          />
        </FaultsOf>
      ))}
      <button
        type="button"
        class="small"
        onClick={() => onGroup({ ...group, value: value ?? 'AND', children: [...children, newCondition()] }, 'add')}
      >
        Add condition
      </button>
    </>
  );
}

interface RowProps {
  readonly condition: Condition;
  readonly number: number;
  readonly earlier: readonly DraftStep[];
  readonly payloads: readonly unknown[];
  readonly onCondition: (condition: Condition, about: string) => void;
  readonly onRemove: () => void;
}

function ConditionRow({ condition, number, earlier, payloads, onCondition, onRemove }: RowProps): VNode {
  const on = condition.on ?? 'payload';
  const sources = SOURCES.filter(({ value }) => value !== 'previousStep' || earlier.length > 0);
  return (
    <div class="condition-row" role="group" aria-label={`Condition ${number}`}>
      <SelectField
        label="Looks at"
        path="on"
        value={on}
        choices={sources}
        onChange={(value) => onCondition(withSource(condition, value as Source, earlier), 'on')}
      />
      {on === 'previousStep' ? (
        <PreviousStep condition={condition} earlier={earlier} onCondition={onCondition} />
      ) : on === 'isOnline' ? (
        <SelectField
          label="Must be"
          value={String(condition.value)}
          choices={[
            { value: 'true', label: 'online' },
            { value: 'false', label: 'offline' },
          ]}
          onChange={(value) => onCondition({ ...condition, value: value === 'true' }, 'value')}
        />
      ) : on === 'isOnlineInLast' ? (
        <OnlineInLast condition={condition} onCondition={onCondition} />
      ) : (
        <Comparison condition={condition} source={on} payloads={payloads} onCondition={onCondition} />
      )}
      <button type="button" class="small quiet" aria-label={`Remove condition ${number}`} onClick={onRemove}>
        Remove
      </button>
    </div>
  );
}

type PartProps = Pick<RowProps, 'condition' | 'onCondition'>;

function PreviousStep({ condition, earlier, onCondition }: PartProps & Pick<RowProps, 'earlier'>): VNode {
  return (
    <>
      <SelectField
        label="Step"
        path="step"
        value={condition.step ?? ''}
        choices={earlier.map(({ uuid }) => ({ value: uuid, label: stepTitle(named(earlier), uuid) }))}
        onChange={(step) => onCondition({ ...condition, step }, 'step')}
      />
      <SelectField
        label="Its message is"
        value={condition.stepType ?? 'unread'}
        choices={['read', 'unread', 'seen', 'unseen'].map((value) => ({ value, label: value }))}
        onChange={(value) => onCondition({ ...condition, stepType: value as Condition['stepType'] & string }, 'state')}
      />
    </>
  );
}

function named(
  steps: readonly DraftStep[],
): { uuid: string; name: string; template: Schemas['StepResponse']['template'] }[] {
  return steps.map(({ uuid, name, template }) => ({
    uuid,
    name,
    template: { type: template.type } as object as Schemas['StepResponse']['template'],
  }));
}

function OnlineInLast({ condition, onCondition }: PartProps): VNode {
  return (
    <>
      <LiveField
        label="In the last"
        path="value"
        type="number"
        value={String(condition.value ?? '')}
        onInput={(value) => onCondition({ ...condition, value: Number(value) }, 'value')}
      />
      <SelectField
        label="Unit"
        value={condition.timeOperator ?? 'minutes'}
        choices={['minutes', 'hours', 'days'].map((value) => ({ value, label: value }))}
        onChange={(value) => onCondition({ ...condition, timeOperator: value as 'minutes' | 'hours' | 'days' }, 'unit')}
      />
    </>
  );
}

const OPERATORS = [
  'EQUAL',
  'NOT_EQUAL',
  'LARGER',
  'LARGER_EQUAL',
  'SMALLER',
  'SMALLER_EQUAL',
  'IN',
  'NOT_IN',
  'ANY_IN',
  'ALL_IN',
  'BETWEEN',
  'NOT_BETWEEN',
  'LIKE',
  'NOT_LIKE',
  'IS_DEFINED',
] as const;

const OWN_LABELS: Readonly<Record<string, string>> = { ANY_IN: 'contains one of', ALL_IN: 'contains all of' };

const FIELDS: Readonly<Partial<Record<Source, readonly string[]>>> = {
  subscriber: [...SUBSCRIBER_FIELDS.map(({ name }) => name), 'subscriberId', 'data.'],
  tenant: ['identifier', 'name', 'data.'],
};

function Comparison({
  condition,
  source,
  payloads,
  onCondition,
}: PartProps & { readonly source: Source; readonly payloads: readonly unknown[] }): VNode {
  const id = useId();
  const { field = '', operator = 'EQUAL', webhookUrl = '' } = condition;
  const seen = source === 'payload' ? payloads.flatMap((payload) => pathsOf(payload)) : [];
  const fields = new Set(source === 'payload' ? seen.map(({ path }) => path) : (FIELDS[source] ?? []));
  const values = new Set(seen.filter(({ path }) => path === field).map(({ sample }) => sample.replaceAll('"', '')));
  const operators = (OPERATORS as readonly string[]).includes(operator) ? OPERATORS : [...OPERATORS, operator];
  return (
    <>
      {source === 'webhook' && (
        <LiveField
          label="URL"
          path="webhookUrl"
          type="url"
          value={webhookUrl}
          placeholder="https://example.com/check"
          onInput={(value) => onCondition({ ...condition, webhookUrl: value }, 'url')}
        />
      )}
      <LiveField
        label="Field"
        path="field"
        isCode
        list={`${id}-fields`}
        value={field}
        placeholder={source === 'payload' ? 'order.total' : 'data.plan'}
        onInput={(value) => onCondition({ ...condition, field: value }, 'field')}
      />
      <datalist id={`${id}-fields`}>
        {[...fields].map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <SelectField
        label="Comparison"
        path="operator"
        value={operator}
        choices={operators.map((value) => ({ value, label: OWN_LABELS[value] ?? operatorLabel(value) }))}
        onChange={(value) =>
          onCondition({ ...condition, operator: value as Condition['operator'] & string }, 'operator')
        }
      />
      {operator !== 'IS_DEFINED' && <ValueField condition={condition} values={[...values]} onCondition={onCondition} />}
    </>
  );
}

function ValueField({ condition, values, onCondition }: PartProps & { readonly values: readonly string[] }): VNode {
  const id = useId();
  const { operator = 'EQUAL' } = condition;
  const change = (text: string): void =>
    onCondition({ ...condition, value: readValue(text, condition.value) as Condition['value'] }, 'value');
  return (
    <>
      <LiveField
        label="Value"
        path="value"
        list={id}
        value={writtenValue(condition.value)}
        {...(/IN$|BETWEEN/.test(operator) && { note: 'Separate values with commas.' })}
        onInput={change}
      />
      <datalist id={id}>
        {values.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </>
  );
}
