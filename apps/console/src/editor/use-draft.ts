import { useCallback, useEffect, useLayoutEffect, useMemo, useReducer } from 'preact/hooks';
import type { Schemas } from '../api/client.js';
import { type Draft, draftOf, isSame } from '../drafts/draft.js';
import { forgetDraft, keepDraft, keptDraft } from './draft-store.js';
import { beginHistory, changed, type History, redone, undone } from './history.js';

type Workflow = Schemas['WorkflowResponse'];

interface State {
  /** As it is stored, as far as it is known here. */
  readonly stored: Draft;
  /** The version of `stored`, which a save must find. */
  readonly version: number;
  readonly history: History<Draft>;
  /** The draft was kept from before a reload. */
  readonly isRestored: boolean;
}

type Action =
  | { readonly do: 'change'; readonly draft: Draft; readonly about: string }
  | { readonly do: 'undo' | 'redo' }
  | { readonly do: 'load' | 'rebase'; readonly workflow: Workflow };

function reduce(state: State, action: Action): State {
  const { history } = state;
  switch (action.do) {
    case 'change':
      return { ...state, history: changed(history, action.draft, action.about, Date.now()) };
    case 'undo':
      return { ...state, history: undone(history) };
    case 'redo':
      return { ...state, history: redone(history) };
    case 'load': {
      const stored = draftOf(action.workflow);
      return { stored, version: action.workflow.__v, history: beginHistory(stored), isRestored: false };
    }
    case 'rebase':
      return { ...state, stored: draftOf(action.workflow), version: action.workflow.__v };
  }
}

function begin({ workflow, environmentId }: { workflow: Workflow; environmentId: string }): State {
  const stored = draftOf(workflow);
  const kept = keptDraft(environmentId, workflow._id);
  if (kept === undefined || isSame(kept.draft, stored))
    return { stored, version: workflow.__v, history: beginHistory(stored), isRestored: false };
  // Its version stays: if the workflow has changed since, saving says so.
  return { stored, version: kept.version, history: changed(beginHistory(stored), kept.draft, '', 0), isRestored: true };
}

export interface EditedDraft {
  readonly draft: Draft;
  readonly version: number;
  readonly isChanged: boolean;
  readonly isRestored: boolean;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  readonly change: (draft: Draft, about: string) => void;
  readonly undo: () => void;
  readonly redo: () => void;
  /** Forgets the draft for a stored state. */
  readonly load: (workflow: Workflow) => void;
  /** Keeps the draft on top of another stored state. */
  readonly rebase: (workflow: Workflow) => void;
}

/** The draft of a workflow, with undo. While it is not saved, it is kept in the tab, and leaving the tab asks first. */
export function useDraft(workflow: Workflow, environmentId: string): EditedDraft {
  const [state, dispatch] = useReducer(reduce, { workflow, environmentId }, begin);
  const { history, stored, version, isRestored } = state;
  const draft = history.present;
  const isChanged = useMemo(() => !isSame(draft, stored), [draft, stored]);
  const { _id } = workflow;
  // Before the next frame: a reload right after a key press must not lose it.
  useLayoutEffect(() => {
    if (isChanged) keepDraft(environmentId, _id, { version, draft });
    else forgetDraft(environmentId, _id);
  }, [isChanged, draft, version, environmentId, _id]);
  useEffect(() => {
    if (!isChanged) return undefined;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isChanged]);
  return {
    draft,
    version,
    isChanged,
    isRestored: isRestored && isChanged,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    change: useCallback((next, about) => dispatch({ do: 'change', draft: next, about }), []),
    undo: useCallback(() => dispatch({ do: 'undo' }), []),
    redo: useCallback(() => dispatch({ do: 'redo' }), []),
    load: useCallback((found) => dispatch({ do: 'load', workflow: found }), []),
    rebase: useCallback((found) => dispatch({ do: 'rebase', workflow: found }), []),
  };
}
