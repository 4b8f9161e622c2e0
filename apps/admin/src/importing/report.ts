/** What became of the records of one kind. */
export interface KindReport {
  readonly kind: string;
  found: number;
  taken: number;
  /** Records that were left out, or lack something, and why. */
  readonly notes: Note[];
  /** How many notes there are; the list has the first ones. */
  noted: number;
}

interface Note {
  readonly id: string;
  readonly name?: string;
  readonly outcome: 'left out' | 'changed';
  readonly why: string;
}

const MAX_NOTES = 200;

export class ImportReport {
  private readonly kinds = new Map<string, KindReport>();

  of(kind: string): KindReport {
    const known = this.kinds.get(kind) ?? { kind, found: 0, taken: 0, notes: [], noted: 0 };
    this.kinds.set(kind, known);
    return known;
  }

  /** A kind that is read as a whole, also by an import that goes on. */
  begin(kind: string): KindReport {
    this.kinds.delete(kind);
    return this.of(kind);
  }

  /** Goes on with what an import that ended early has found. */
  restore(kinds: readonly KindReport[]): void {
    for (const one of kinds) this.kinds.set(one.kind, one);
  }

  note(kind: string, note: Note): void {
    const report = this.of(kind);
    report.noted += 1;
    if (report.notes.length < MAX_NOTES) report.notes.push(note);
  }

  get all(): KindReport[] {
    return [...this.kinds.values()];
  }

  /** For people: a table, and what does not fit. */
  lines(): string[] {
    const rows = this.all.map(
      ({ kind, found, taken }) => `${kind.padEnd(24)} ${width(found)} found  ${width(taken)} taken`,
    );
    const notes = this.all.flatMap(({ kind, notes, noted }) => [
      ...notes.map(
        ({ id, name, outcome, why }) =>
          `${kind} ${name ?? id} ${outcome === 'changed' ? 'changed' : 'left out'}: ${why}`,
      ),
      ...(noted > notes.length ? [`${kind}: ${noted - notes.length} more of these`] : []),
    ]);
    return notes.length === 0 ? rows : [...rows, '', 'What does not fit:', ...notes];
  }
}

function width(count: number): string {
  return String(count).padStart(9);
}
