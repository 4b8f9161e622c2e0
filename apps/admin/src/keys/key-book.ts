/** A key as lists show it. */
export interface KeyRow {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date | string;
  readonly lastUsedAt?: Date | string;
  readonly expiresAt?: Date | string;
}

/** A key that was just made, with the key itself. */
export interface IssuedKey extends KeyRow {
  readonly key: string;
}

/** The keys of one environment, reached through the store or through a running Herald. */
export interface KeyBook {
  /** Oldest first. */
  list(): Promise<KeyRow[]>;
  /** The keys themselves, in the order of {@link list}. */
  reveal(): Promise<string[]>;
  issue(name: string, expiresAt?: Date): Promise<IssuedKey>;
  rotate(id: string): Promise<IssuedKey>;
  revoke(id: string): Promise<void>;
}
