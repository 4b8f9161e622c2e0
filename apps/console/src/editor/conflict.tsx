import type { VNode } from 'preact';
import { dataOf, type Schemas } from '../api/client.js';
import { toFailure } from '../api/failure.js';
import { useQuery } from '../api/use-query.js';
import { useApi } from '../session.js';
import { Dialog } from '../ui/dialog.js';
import { Loaded } from '../ui/states.js';
import { Ago } from '../ui/time.js';
import { DifferenceView } from './difference-view.js';
import type { EditedDraft } from './use-draft.js';

interface Props {
  readonly workflowId: string;
  readonly edited: EditedDraft;
  readonly onClose: () => void;
  /** Tells the state that is stored now. */
  readonly onStored: (theirs: Schemas['WorkflowResponse']) => void;
}

/** Somebody else has saved the workflow: what changed, and whose content stays. */
export function Conflict({ workflowId, edited, onClose, onStored }: Props): VNode {
  const api = useApi();
  const { version: since, rebase, load } = edited;
  const query = useQuery(`conflict ${workflowId} ${since}`, async (signal) => {
    const path = { workflowId };
    const theirs = await dataOf(api.GET('/v1/workflows/{workflowId}', { params: { path }, signal }));
    const version = await dataOf(
      api.GET('/v1/workflows/{workflowId}/versions/{version}', {
        params: { path: { ...path, version: theirs.__v }, query: { since } },
        signal,
      }),
    ).catch((error: unknown) => {
      if (toFailure(error).code === 'workflow_version_not_found') return undefined;
      throw error;
    });
    return { theirs, version };
  });
  const settle = (theirs: Schemas['WorkflowResponse'], take: EditedDraft['load']): void => {
    onStored(theirs);
    take(theirs);
    onClose();
  };
  return (
    <Dialog title="Somebody else saved this workflow" onClose={onClose}>
      <div class="form">
        <p>Your changes are not saved yet, and nothing was overwritten. This is what changed since you began:</p>
        <Loaded query={query}>
          {({ theirs, version }) => (
            <>
              {version ? (
                <Changes version={version} />
              ) : (
                <p class="note">The version that you began from is no longer kept, so the changes cannot be shown.</p>
              )}
              <div class="dialog-buttons">
                <button type="button" onClick={onClose}>
                  Close
                </button>
                <button type="button" class="danger" onClick={() => settle(theirs, load)}>
                  Discard mine, load theirs
                </button>
                <button type="button" class="primary" onClick={() => settle(theirs, rebase)}>
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

function Changes({ version }: { version: Schemas['WorkflowVersionDetailsResponse'] }): VNode {
  return (
    <>
      <p class="note">
        Version {version.version}, saved <Ago at={version.savedAt} />
        {version.apiKeyName !== undefined && ` with the key “${version.apiKeyName}”`}
        {version.note !== undefined && `: ${version.note}`}
      </p>
      <DifferenceView version={version} />
    </>
  );
}
