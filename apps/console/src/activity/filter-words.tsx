import type { VNode } from 'preact';
import { workflowNames } from './workflow-names.js';
import type { Schemas } from '../api/client.js';
import { momentOf } from '../durations.js';
import { typeLabel } from './words.js';

type Filter = Schemas['ReplayFilterDto'];

interface Props {
  readonly filter: Filter;
  readonly workflows: readonly Schemas['WorkflowSummaryResponse'][];
}

/** A filter as a list of what it asks for. */
export function FilterWords({ filter, workflows }: Props): VNode {
  const nameOf = workflowNames(workflows);
  const names = filter.templates?.map((id) => {
    const workflow = workflows.find(({ _id }) => _id === id);
    return workflow === undefined ? id : nameOf(workflow);
  });
  const parts: [string, string | null | undefined][] = [
    ['Channel', filter.channels?.map(typeLabel).join(', ')],
    ['Workflow', names?.join(', ')],
    ['Subscriber', filter.subscriberIds?.join(', ')],
    ['Email', filter.emails?.join(', ')],
    ['Transaction', filter.transactionId],
    ['Search', filter.search],
    ['From', filter.from && momentOf(filter.from)],
    ['To', filter.to && momentOf(filter.to)],
  ];
  const given = parts.filter(([, value]) => value);
  if (given.length === 0) return <p>All failed notifications in this environment.</p>;
  return (
    <dl class="facts">
      {given.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
