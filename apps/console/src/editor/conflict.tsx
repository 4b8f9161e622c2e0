import type { VNode } from 'preact';
import { dataOf, type Schemas } from '../api/client.js';
import { useQuery } from '../api/use-query.js';
import { useApi } from '../session.js';
import { Dialog } from '../ui/dialog.js';
import { Loaded } from '../ui/states.js';
import { Ago } from '../ui/time.js';
import { DifferenceView } from './difference-view.js';

interface Props {
  readonly workflowId: string;
  /** The version that the draft began from. */
  readonly since: number;
  readonly onClose: () => void;
  /** Keeps the draft, and takes the version that was shown for known. */
  readonly onKeep: (known: Schemas['WorkflowResponse']) => void;
  readonly onTake: (theirs: Schemas['WorkflowResponse']) => void;
}

/** Somebody else has saved the workflow: what changed, and whose content stays. */
export function Conflict({ workflowId, since, onClose, onKeep, onTake }: Props): VNode {
  const api = useApi();
  const query = useQuery(`conflict ${workflowId} ${since}`, async (signal) => {
    const path = { workflowId };
    const theirs = await dataOf(api.GET('/v1/workflows/{workflowId}', { params: { path }, signal }));
    const version = await dataOf(
      api.GET('/v1/workflows/{workflowId}/versions/{version}', {
        params: { path: { ...path, version: theirs.__v }, query: { since } },
        signal,
      }),
    );
    return { theirs, version };
  });
  return (
    <Dialog title="Somebody else saved this workflow" onClose={onClose}>
      <div class="form">
        <p>Your changes are not saved yet, and nothing was overwritten. This is what changed since you began:</p>
        <Loaded query={query}>
          {({ theirs, version }) => (
            <>
              <p class="note">
                Version {version.version}, saved <Ago at={version.savedAt} />
                {version.apiKeyName !== undefined && ` with the key “${version.apiKeyName}”`}
                {version.note !== undefined && `: ${version.note}`}
              </p>
              <DifferenceView version={version} />
              <div class="dialog-buttons">
                <button type="button" onClick={onClose}>
                  Close
                </button>
                <button type="button" class="danger" onClick={() => onTake(theirs)}>
                  Discard mine, load theirs
                </button>
                <button type="button" class="primary" onClick={() => onKeep(theirs)}>
                  Keep my draft
                </button>
              </div>
              <p class="note">
                If you keep your draft and save it, it replaces these changes. They stay in the list of versions.
              </p>
            </>
          )}
        </Loaded>
      </div>
    </Dialog>
  );
}
