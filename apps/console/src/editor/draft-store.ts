import type { Draft } from '../drafts/draft.js';

/** An unsaved draft, and the version that it began from. */
export interface KeptDraft {
  readonly version: number;
  readonly draft: Draft;
}

/**
 * Unsaved drafts in the storage of the tab: they survive a reload and the end of a session, and end with the tab. The API
 * key is no part of them.
 */
const nameOf = (environmentId: string, workflowId: string): string => `herald.draft.${environmentId}.${workflowId}`;

export function keepDraft(environmentId: string, workflowId: string, kept: KeptDraft): void {
  try {
    sessionStorage.setItem(nameOf(environmentId, workflowId), JSON.stringify(kept));
  } catch {
    // The storage is full or forbidden: leaving the page asks first, as with any unsaved draft.
  }
}

export function keptDraft(environmentId: string, workflowId: string): KeptDraft | undefined {
  try {
    const text = sessionStorage.getItem(nameOf(environmentId, workflowId));
    const kept = text === null ? undefined : (JSON.parse(text) as Partial<KeptDraft>);
    return typeof kept?.version === 'number' && Array.isArray(kept.draft?.steps) ? (kept as KeptDraft) : undefined;
  } catch {
    return undefined;
  }
}

export function forgetDraft(environmentId: string, workflowId: string): void {
  try {
    sessionStorage.removeItem(nameOf(environmentId, workflowId));
  } catch {
    // Nothing was kept.
  }
}
