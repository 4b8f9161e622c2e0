import type { VNode } from 'preact';
import { apiUrl } from '../public-path.js';
import { CopyButton } from '../ui/copy-button.js';
import { curlCall } from './curl-call.js';
import { keptPayload } from './kept-payload.js';
import { samplePayload } from './sample-payload.js';
import type { Workflow } from './workflow-words.js';

/** The payload that a trigger could have, as text: that of the last run from this browser, or sample values. */
export function sampleText({ _id, triggers, steps }: Pick<Workflow, '_id' | 'triggers' | 'steps'>): string {
  const kept = keptPayload(_id);
  if (kept !== undefined) return kept;
  const defaults = steps.flatMap(({ template }) => template.variables);
  return JSON.stringify(samplePayload(triggers[0]?.variables ?? [], defaults), undefined, 2);
}

/** How the workflow is triggered: its identifier, what it wants to know, and a call to copy. */
export function TriggerPanel({ workflow }: { workflow: Workflow }): VNode {
  const [trigger] = workflow.triggers;
  const declared = new Map(workflow.steps.flatMap(({ template }) => template.variables.map((one) => [one.name, one])));
  const identifier = trigger?.identifier ?? '';
  const fields = (trigger?.subscriberVariables ?? []).map(({ name }) => name);
  const subscriber = {
    subscriberId: 'ada',
    ...(fields.includes('email') && { email: 'ada@example.com' }),
    ...(fields.includes('phone') && { phone: '+15550100' }),
  };
  const call = curlCall(apiUrl(), identifier, subscriber, JSON.parse(sampleText(workflow)) as object);
  return (
    <section class="panel trigger" aria-labelledby="trigger-heading">
      <h2 id="trigger-heading">Trigger</h2>
      <p class="copy-line">
        <code>{identifier}</code> <CopyButton text={identifier} />
      </p>
      {trigger && trigger.variables.length > 0 ? (
        <>
          <h3>Payload</h3>
          <ul class="variables">
            {trigger.variables.map(({ name, type }) => (
              <li key={name}>
                <code>{name}</code> <span class="soft">{variableWords(type, declared.get(name))}</span>
              </li>
            ))}
          </ul>
        </>
      ) : (
        <p class="note">The templates use no payload values.</p>
      )}
      {fields.length > 0 && (
        <p>
          <span class="soft">Required subscriber fields:</span> {fields.join(', ')}
        </p>
      )}
      {trigger?.reservedVariables.map(({ type }) => (
        <p key={type}>
          <span class="soft">The trigger must include</span> {type === 'tenant' ? 'a tenant' : 'an actor'}
        </p>
      ))}
      <h3>Request</h3>
      <pre class="raw" tabIndex={0} aria-label="curl command">
        {call}
      </pre>
      <p class="copy-line">
        <CopyButton text={call} label="Copy command" />{' '}
        <span class="note">
          The command reads the key from the environment variable <code>HERALD_API_KEY</code>.
        </span>
      </p>
    </section>
  );
}

type Declared = Workflow['steps'][number]['template']['variables'][number] | undefined;

function variableWords(type: string | undefined, declared: Declared): string {
  const kind = { Array: 'list', Boolean: 'true or false', String: 'text' }[type ?? ''] ?? '';
  const parts = [
    kind,
    declared?.required === true && 'required',
    declared?.defaultValue !== undefined &&
      declared.defaultValue !== '' &&
      `default ${JSON.stringify(declared.defaultValue)}`,
  ];
  return parts.filter(Boolean).join(', ');
}
