import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Canvas, type Look } from '../workflows/canvas/index.js';
import type { Draft, DraftStep } from '../drafts/draft.js';
import type { Place } from '../drafts/places.js';
import { Dialog } from '../ui/dialog.js';
import type { NewStep } from './step-kinds.js';
import { StepList, StepTypeButtons } from './step-list.js';

interface Props {
  readonly look: Look;
  readonly draft: Draft;
  readonly setSteps: (steps: readonly DraftStep[], about: string) => void;
  readonly chosen: string | undefined;
  readonly faulty: readonly string[];
  readonly choose: (uuid: string | undefined) => void;
  readonly add: (one: NewStep, place: Place) => void;
}

/** The steps of a workflow, as a picture or as a list. */
export function EditedSteps({ look, ...props }: Props): VNode {
  const { draft, chosen, faulty, choose, setSteps, add } = props;
  if (look === 'canvas') return <StepCanvas {...props} />;
  return (
    <StepList
      steps={draft.steps}
      chosen={chosen}
      faulty={faulty}
      onChoice={choose}
      onSteps={setSteps}
      onAdd={(one) => add(one, { at: draft.steps.length, branch: undefined })}
    />
  );
}

/** They move by dragging, and a plus between two of them adds one. */
function StepCanvas({ draft, chosen, faulty, choose, setSteps, add }: Omit<Props, 'look'>): VNode {
  const [place, setPlace] = useState<Place>();
  return (
    <section class="editor-canvas" aria-label="Canvas">
      <Canvas
        steps={draft.steps}
        trigger={draft.identifier}
        chosen={chosen}
        onChoice={choose}
        editing={{ faulty, onSteps: setSteps, onPlus: setPlace, onSettings: () => choose(undefined) }}
      />
      <p class="note">Drag a step to move it, or use the list with the keyboard.</p>
      {place && (
        <Dialog title="Add a step" onClose={() => setPlace(undefined)}>
          <ul class="step-types">
            <StepTypeButtons
              onAdd={(made) => {
                setPlace(undefined);
                add(made, place);
              }}
            />
          </ul>
          <div class="dialog-buttons">
            <button type="button" onClick={() => setPlace(undefined)}>
              Close
            </button>
          </div>
        </Dialog>
      )}
    </section>
  );
}
