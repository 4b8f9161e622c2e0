import { TemplateError } from './template-error.js';

export interface RenderLimits {
  /** Characters before escaping, which can lengthen the output. */
  maxOutput: number;
  timeoutMs: number;
}

export const DEFAULT_LIMITS: Readonly<RenderLimits> = { maxOutput: 1_000_000, timeoutMs: 1_000 };
/** Passes through blocks per rendering. */
const MAX_ITERATIONS = 100_000;

/** Every expression and every pass through a block draws on it. */
export class RenderBudget {
  private output = 0;
  private iterations = 0;
  /** Set by the first check, so that compiling a template does not count. */
  private deadline?: number;

  constructor(private readonly limits: RenderLimits) {}

  spend(characters: number): void {
    this.output += characters;
    if (this.output > this.limits.maxOutput) {
      throw new TemplateError(`the output is longer than ${this.limits.maxOutput} characters`);
    }
    this.checkTime();
  }

  enterBlock(characters: number): void {
    this.iterations += 1;
    if (this.iterations > MAX_ITERATIONS) {
      throw new TemplateError(`blocks and loops run more than ${MAX_ITERATIONS} times`);
    }
    this.spend(characters);
  }

  checkTime(): void {
    const now = performance.now();
    this.deadline ??= now + this.limits.timeoutMs;
    if (now <= this.deadline) return;
    throw new TemplateError(`rendering takes longer than ${this.limits.timeoutMs} ms`);
  }
}
