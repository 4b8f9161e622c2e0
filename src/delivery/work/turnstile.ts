/** Lets only so many through at once for each key; the others wait in the order in which they came. */
export class Turnstile {
  private readonly gates = new Map<string, { inside: number; waiting: (() => void)[] }>();

  async through<T>(key: string, most: number, work: () => Promise<T>): Promise<T> {
    const gate = this.gates.get(key) ?? { inside: 0, waiting: [] };
    this.gates.set(key, gate);
    if (gate.inside >= most) await new Promise<void>((resolve) => gate.waiting.push(resolve));
    else gate.inside += 1;
    try {
      return await work();
    } finally {
      const next = gate.waiting.shift();
      // Whoever goes on takes over the place, so that nobody slips in between.
      if (next) next();
      else if (--gate.inside === 0) this.gates.delete(key);
    }
  }
}
