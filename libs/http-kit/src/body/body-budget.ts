/** Limits uncompressed bytes of bodies in memory. One owner gets half of the budget at most. */
export class BodyBudget {
  private used = 0;
  private readonly byOwner = new Map<string, number>();
  private readonly share: number;

  /** @param largestBody is accepted whenever no other body is held */
  constructor(
    private readonly bytes: number,
    largestBody: number,
  ) {
    this.bytes = Math.max(bytes, largestBody);
    this.share = Math.max(Math.floor(this.bytes / 2), largestBody);
  }

  get held(): number {
    return this.used;
  }

  /** @returns false, without reserving anything, if the budget is exhausted */
  take(owner: string, bytes: number): boolean {
    const own = (this.byOwner.get(owner) ?? 0) + bytes;
    if (this.used + bytes > this.bytes || own > this.share) return false;
    this.used += bytes;
    this.byOwner.set(owner, own);
    return true;
  }

  release(owner: string, bytes: number): void {
    this.used -= bytes;
    const own = (this.byOwner.get(owner) ?? 0) - bytes;
    if (own > 0) this.byOwner.set(owner, own);
    else this.byOwner.delete(owner);
  }
}
