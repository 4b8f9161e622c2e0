/** How a template shows values: as HTML, as they are, or marked, for texts that become what their receiver takes. */
export type Escaping = 'html' | 'none' | 'marks';

/** Noncharacters, which no text has that comes from elsewhere. */
const [START, END] = ['\uFDD0', '\uFDD1'];
const MARKS = /[\uFDD0\uFDD1]/g;
const MARKED = /\uFDD0([^\uFDD0\uFDD1]*)\uFDD1/g;

export function marked(value: string): string {
  return value === '' ? '' : `${START}${value.replaceAll(MARKS, '')}${END}`;
}

/** @param escape of what came from values, as opposed to what an author has written; default: as it is */
export function withoutMarks(text: string, escape: (value: string) => string = (value) => value): string {
  return text.replaceAll(MARKED, (_all, value: string) => escape(value)).replaceAll(MARKS, '');
}
