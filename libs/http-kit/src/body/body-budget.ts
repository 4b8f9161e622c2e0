/**
 * The bytes of bodies that are held at one moment, over all connections: read or being read, unpacked. One owner gets
 * half of them at most, so that there is always something left for the others.
 */
export class BodyBudget {
  private used = 0;
  private readonly byOwner = new Map<string, number>();
  private readonly share: number;

  /** @param largestBody always finds room when nothing else is held */
  constructor(
    private readonly bytes: number,
    largestBody: number,
  ) {
    this.bytes = Math.max(bytes, largestBody);
    this.share = Math.max(Math.floor(this.bytes / 2), largestBody);
  }

  /** Bytes that are held now. */
  get held(): number {
    return this.used;
  }

  /** @returns false where there is no room; nothing is taken then */
  take(owner: string, bytes: number): boolean {
    const own = (this.byOwner.get(owner) ?? 0) + bytes;
    if (this.used + bytes > this.bytes || own > this.share) return false;
    this.used += bytes;
    this.byOwner.set(owner, own);
    return true;
  }

  giveBack(owner: string, bytes: number): void {
    this.used -= bytes;
    const own = (this.byOwner.get(owner) ?? 0) - bytes;
    if (own > 0) this.byOwner.set(owner, own);
    else this.byOwner.delete(owner);
  }
}
