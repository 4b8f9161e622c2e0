/** Where a text is not what it should be; line and column count from 1. */
export interface TextFault {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

/**
 * The first fault of a JSON text. Browsers word and place theirs differently, or not at all, so the text is read here.
 * @returns undefined if the text is valid
 */
export function jsonFault(text: string): TextFault | undefined {
  const scanner = new Scanner(text);
  try {
    scanner.document();
    return undefined;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const before = text.slice(0, error.at).split('\n');
    return { message: error.message, line: before.length, column: (before.at(-1) ?? '').length + 1 };
  }
}

/** The object in a JSON text, or why it is none. An empty text is an empty object. */
export function objectOf(text: string): { value?: Record<string, unknown>; fault?: TextFault } {
  if (text.trim() === '') return { value: {} };
  const fault = jsonFault(text);
  if (fault !== undefined) return { fault };
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { fault: { message: 'Expected an object: { … }', line: 1, column: 1 } };
  }
  return { value: value as Record<string, unknown> };
}

class Fault extends Error {
  constructor(
    message: string,
    readonly at: number,
  ) {
    super(message);
  }
}

const SPACE = /[ \t\r\n]*/y;
const STRING = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y;
const NUMBER_OR_WORD = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|true\b|false\b|null\b/y;
const STRING_PART = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*/y;

class Scanner {
  private at = 0;

  constructor(private readonly text: string) {}

  document(): void {
    this.value('Expected a value');
    if (this.at < this.text.length) throw new Fault('Unexpected text after the value', this.at);
  }

  private value(expected: string): void {
    this.skip(SPACE);
    if (this.takes('{')) this.members();
    else if (this.takes('[')) this.items();
    else if (this.text[this.at] === '"') this.string();
    else if (!this.skip(NUMBER_OR_WORD))
      throw new Fault(this.isAtEnd() ? `${expected}, but the text ends here` : expected, this.at);
    this.skip(SPACE);
  }

  private members(): void {
    this.skip(SPACE);
    if (this.takes('}')) return;
    do {
      this.skip(SPACE);
      if (this.text[this.at] !== '"') throw new Fault('Expected a name in double quotes', this.at);
      this.string();
      this.skip(SPACE);
      if (!this.takes(':')) throw new Fault('Expected a colon after the name', this.at);
      this.value('Expected a value after the colon');
    } while (this.takes(','));
    if (!this.takes('}')) throw new Fault('Expected a comma or }', this.at);
  }

  private items(): void {
    this.skip(SPACE);
    if (this.takes(']')) return;
    do this.value('Expected a value');
    while (this.takes(','));
    if (!this.takes(']')) throw new Fault('Expected a comma or ]', this.at);
  }

  private string(): void {
    if (this.skip(STRING)) return;
    this.skip(STRING_PART);
    const message =
      this.text[this.at] === '\\' ? 'Invalid escape sequence in a string' : 'The string has no closing double quote';
    throw new Fault(message, this.at);
  }

  private takes(character: string): boolean {
    if (this.text[this.at] !== character) return false;
    this.at += 1;
    return true;
  }

  private skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    const [found] = pattern.exec(this.text) ?? [];
    this.at += found?.length ?? 0;
    return found !== undefined;
  }

  private isAtEnd(): boolean {
    return this.at >= this.text.length;
  }
}
