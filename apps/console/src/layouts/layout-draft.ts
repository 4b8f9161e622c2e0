import type { Schemas } from '../api/client.js';

export type Layout = Schemas['LayoutResponse'];
type Variable = Schemas['TemplateVariableDto'];

/** A layout that is being edited. */
export interface LayoutDraft {
  readonly name: string;
  readonly identifier: string;
  readonly description: string;
  readonly content: string;
  readonly variables: readonly Variable[];
}

/** An unsaved draft, and the version of the layout that it began from. */
interface KeptDraft {
  readonly version: number;
  readonly draft: LayoutDraft;
}

export const NEW_CONTENT = `<!doctype html>
<html>
  <body>
    {{{body}}}
  </body>
</html>
`;

export function layoutDraftOf({ name, identifier, description, content, variables }: Layout): LayoutDraft {
  return { name, identifier, description: description ?? '', content, variables };
}

export function isSameDraft(one: LayoutDraft, other: LayoutDraft): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** What is sent to the API. Variables without a name are left out, and an empty default is none. */
export function sentLayout(draft: LayoutDraft): LayoutDraft {
  const variables = draft.variables.flatMap(({ defaultValue, ...variable }): Variable[] => {
    const name = variable.name.trim();
    if (name === '') return [];
    return [{ ...variable, name, ...(defaultValue !== undefined && defaultValue !== '' && { defaultValue }) }];
  });
  return { ...draft, name: draft.name.trim(), identifier: draft.identifier.trim(), variables };
}

const nameOf = (layoutId: string): string => `herald.layout.${layoutId}`;

/** In the storage of the tab: it survives a reload and the end of a session, and ends with the tab. */
export function keepLayoutDraft(layoutId: string, kept: KeptDraft): void {
  try {
    sessionStorage.setItem(nameOf(layoutId), JSON.stringify(kept));
  } catch {
    // The storage is full or forbidden.
  }
}

export function keptLayoutDraft(layoutId: string): KeptDraft | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(nameOf(layoutId)) ?? 'null') as KeptDraft | null;
    return typeof kept?.draft.content === 'string' ? kept : undefined;
  } catch {
    return undefined;
  }
}

export function forgetLayoutDraft(layoutId: string): void {
  try {
    sessionStorage.removeItem(nameOf(layoutId));
  } catch {
    // Nothing was kept.
  }
}
