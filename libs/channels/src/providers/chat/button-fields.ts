import type { ChatMessage } from '../../core/messages.js';
import type { AnswerButtons } from '../../core/provider.js';

/** What a message with buttons has in the request, and one that loses them; others nothing. */
export function buttonFields(buttons: AnswerButtons, message: ChatMessage): Record<string, unknown> {
  return message.buttons === undefined ? {} : buttons.fields(message);
}

export function shortLabel(label: string, most: number): string {
  const letters = [...label];
  return letters.length <= most ? label : `${letters.slice(0, most - 1).join('')}…`;
}

/** In rows of so many. */
export function rowsOf<T>(all: readonly T[], most: number): T[][] {
  const rows: T[][] = [];
  for (let from = 0; from < all.length; from += most) rows.push(all.slice(from, from + most));
  return rows;
}
