/** Where in a template a fault lies; both count from 1. */
export interface TemplatePosition {
  line: number;
  column: number;
}

/**
 * A template that cannot be read or rendered. The message is meant for the template's author: it never holds a stack,
 * a path of this machine or values of the context.
 */
export class TemplateError extends Error {
  readonly line?: number;
  readonly column?: number;

  constructor(message: string, position: Partial<TemplatePosition> = {}) {
    super(message + describePosition(position));
    this.name = 'TemplateError';
    this.line = position.line;
    this.column = position.column;
  }
}

function describePosition({ line, column }: Partial<TemplatePosition>): string {
  if (line === undefined) return '';
  return column === undefined ? ` (line ${line})` : ` (line ${line}, column ${column})`;
}
