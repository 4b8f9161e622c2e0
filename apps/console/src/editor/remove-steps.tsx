import type { VNode } from 'preact';
import type { DraftStep } from '../drafts/draft.js';
import { titleOf } from '../drafts/step-words.js';
import { Confirm } from '../ui/dialog.js';

interface Props {
  /** What is deleted, as in "Delete arm". */
  readonly kind: 'step' | 'arm';
  readonly name: string;
  /** How many steps leave with it. */
  readonly inArms: number;
  /** Steps that stay, and depend on what leaves. */
  readonly readers: readonly DraftStep[];
  readonly onClose: () => void;
  readonly onRemove: () => void;
}

/** Asks before steps leave the draft. */
export function RemoveSteps({ kind, name, inArms, readers, onClose, onRemove }: Props): VNode {
  const [place, what] = kind === 'step' ? ['its arms', 'this step'] : ['it', 'a step in this arm'];
  const others = inArms === 1 ? ` and the step in ${place} leave` : ` and the ${inArms} steps in ${place} leave`;
  return (
    <Confirm
      title={`Delete “${name}”?`}
      action={`Delete ${kind}`}
      isDangerous
      isDisabled={readers.length > 0}
      onClose={onClose}
      onConfirm={() => Promise.resolve(onRemove())}
    >
      {readers.length > 0 ? (
        <p class="notice warn">
          {readers.map((reader) => `“${titleOf(reader)}”`).join(', ')} depend on {what}. Change them first.
        </p>
      ) : (
        <p>
          The {kind}
          {inArms === 0 ? ' leaves' : others} the draft. Undo brings this back; the workflow changes when you save it.
        </p>
      )}
    </Confirm>
  );
}
