import type { Index } from './index.js';

const MAX_SHAPES = 500;

interface Choice {
  index: Index;
  /** Documents that the first query with this choice examined. */
  examined?: number;
}

/** The index that was chosen for each shape of query, so that the choice is made once and not for every query. */
export class IndexChoices {
  /** Paths in the filters of partial indexes: with one value such an index may be used, with another it may not. */
  decisive: ReadonlySet<string> = new Set();
  private readonly byShape = new Map<string, Choice>();

  get(shape: string): Choice | undefined {
    return this.byShape.get(shape);
  }

  keep(shape: string, index: Index): void {
    if (this.byShape.size >= MAX_SHAPES) this.byShape.clear();
    this.byShape.set(shape, { index });
  }

  forget(shape: string): void {
    this.byShape.delete(shape);
  }

  /** Begins anew, with other indexes. */
  reset(indexes: readonly Index[]): void {
    this.byShape.clear();
    const conditions = indexes.flatMap(({ partial }) => partial ?? []);
    this.decisive = new Set(conditions.flatMap((node) => ('path' in node ? [node.path.join('.')] : [])));
  }
}
