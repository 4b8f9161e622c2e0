/** The payload that somebody ran a workflow with last, in the storage of the browser: for the next run, preview and call. */
const nameOf = (workflowId: string): string => `herald.payload.${workflowId}`;

export function keepPayload(workflowId: string, text: string): void {
  try {
    localStorage.setItem(nameOf(workflowId), text);
  } catch {
    // The storage is full or forbidden: the next form begins with sample values.
  }
}

export function keptPayload(workflowId: string): string | undefined {
  try {
    return localStorage.getItem(nameOf(workflowId)) ?? undefined;
  } catch {
    return undefined;
  }
}
