/** Counted from 1. */
export interface TemplatePosition {
  line: number;
  column: number;
}

/** Template cannot be read or rendered. The message is for its author: no stack, path or value. */
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
