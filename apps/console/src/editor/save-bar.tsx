import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { ActionButton } from '../access/action-button.js';
import { ActiveStatus } from '../workflows/workflows-page.js';
import type { EditedDraft } from './use-draft.js';

interface Props {
  readonly edited: EditedDraft;
  readonly isBusy: boolean;
  readonly isActive: boolean;
  readonly onSave: (note: string) => void;
  readonly onDiscard: () => void;
}

/** Saves, undoes and discards, always in view. */
export function SaveBar({ edited, isBusy, isActive, onSave, onDiscard }: Props): VNode {
  const { isChanged, canUndo, canRedo, undo, redo, version } = edited;
  const [note, setNote] = useState('');
  const save = (event: SubmitEvent): void => {
    event.preventDefault();
    onSave(note.trim());
    setNote('');
  };
  return (
    <form class="save-bar" aria-label="Save" onSubmit={save}>
      <span class="save-state" role="status">
        <ActiveStatus isActive={isActive} />{' '}
        <span class="soft">{isChanged ? 'Unsaved changes' : `Version ${version}`}</span>
      </span>
      <span class="button-line">
        <button type="button" class="small" disabled={!canUndo} onClick={undo}>
          Undo
        </button>
        <button type="button" class="small" disabled={!canRedo} onClick={redo}>
          Redo
        </button>
        {isChanged && (
          <button type="button" class="small quiet" onClick={onDiscard}>
            Discard
          </button>
        )}
      </span>
      <input
        class="save-note"
        aria-label="Note on this change"
        placeholder="Note on this change (optional)"
        maxLength={500}
        value={note}
        onInput={(event) => setNote(event.currentTarget.value)}
      />
      <ActionButton needs="updateWorkflow" type="submit" class="primary" disabled={!isChanged || isBusy}>
        {isBusy ? 'Saving…' : 'Save'}
      </ActionButton>
    </form>
  );
}
