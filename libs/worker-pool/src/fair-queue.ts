/** By group; groups take turns. */
export class FairQueue<T> {
  private readonly lines = new Map<string, T[]>();
  private waiting = 0;

  get size(): number {
    return this.waiting;
  }

  sizeOf(group: string): number {
    return this.lines.get(group)?.length ?? 0;
  }

  push(group: string, item: T): void {
    const line = this.lines.get(group);
    if (line) line.push(item);
    else this.lines.set(group, [item]);
    this.waiting += 1;
  }

  /** Takes from the first group that may take a turn, and moves that group to the end. */
  shift(mayTakeTurn: (group: string) => boolean): { group: string; item: T } | undefined {
    for (const [group, line] of this.lines) {
      if (!mayTakeTurn(group)) continue;
      const item = line.shift();
      this.lines.delete(group);
      if (line.length > 0) this.lines.set(group, line);
      if (item === undefined) continue;
      this.waiting -= 1;
      return { group, item };
    }
    return undefined;
  }
}
