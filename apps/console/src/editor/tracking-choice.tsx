import type { VNode } from 'preact';
import type { Draft } from '../drafts/draft.js';
import { SelectField } from '../ui/fields.js';

interface Props {
  readonly tracking: Draft['tracking'];
  readonly onTracking: (tracking: Draft['tracking'], about: string) => void;
}

const CHOICES = [
  { value: 'integration', label: 'as the integration says' },
  { value: 'on', label: 'follow' },
  { value: 'off', label: 'do not follow' },
];
const KINDS = [
  ['opens', 'Opens of mails'],
  ['clicks', 'Clicks in mails'],
] as const;

/** Whether opens and clicks of the mails of a workflow are followed. */
export function TrackingChoice({ tracking, onTracking }: Props): VNode {
  return (
    <div class="two-fields">
      {KINDS.map(([kind, label]) => (
        <SelectField
          key={kind}
          label={label}
          value={tracking[kind] === undefined ? 'integration' : tracking[kind] ? 'on' : 'off'}
          choices={CHOICES}
          onChange={(value) => {
            const { [kind]: _former, ...rest } = tracking;
            onTracking(value === 'integration' ? rest : { ...rest, [kind]: value === 'on' }, kind);
          }}
        />
      ))}
    </div>
  );
}
