import { forgetRemembered, remember, remembered } from '../ui/remembered.js';

/** The payload that somebody ran a workflow with last, in the storage of the browser: for the next run, preview and call. */
const nameOf = (workflowId: string): string => `payload.${workflowId}`;

/** They can hold data of people, so they are gone before somebody else signs in. */
export function forgetPayloads(): void {
  forgetRemembered(nameOf(''));
}

export function keepPayload(workflowId: string, text: string): void {
  remember(nameOf(workflowId), text);
}

export function keptPayload(workflowId: string): string | undefined {
  return remembered(nameOf(workflowId));
}
