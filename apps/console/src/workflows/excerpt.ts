const AROUND = 2;
const MAX_WIDTH = 160;

export interface ExcerptLine {
  readonly number: number;
  readonly text: string;
  readonly isFault: boolean;
}

/** The lines around a fault. Long lines are cut around the column. */
export function excerptOf(text: string, line: number, column = 1): ExcerptLine[] {
  const lines = text.split('\n');
  const from = Math.max(0, line - 1 - AROUND);
  const start = column > MAX_WIDTH ? column - MAX_WIDTH / 2 : 0;
  return lines.slice(from, line + AROUND).map((content, at) => {
    const number = from + at + 1;
    const cut = content.slice(start, start + MAX_WIDTH);
    return {
      number,
      text: `${start > 0 && cut !== '' ? '…' : ''}${cut}${content.length > start + MAX_WIDTH ? '…' : ''}`,
      isFault: number === line,
    };
  });
}

/** The text at a path with dots, such as `content.0.url`. */
export function textAt(value: unknown, path: string): string | undefined {
  let found: unknown = value;
  for (const name of path.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return typeof found === 'string' ? found : undefined;
}
