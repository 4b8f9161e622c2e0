import type { KeyScope } from '#libs/common';

/** A key as lists show it. */
export interface KeyRow {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly KeyScope[];
  readonly createdAt: Date | string;
  readonly lastUsedAt?: Date | string;
  readonly expiresAt?: Date | string;
}

/** A key that was just made, with the key itself. */
export interface IssuedKey extends KeyRow {
  readonly key: string;
}

/** What a new key is to be. Absent: all scopes, without end, as far as the key that asks has them. */
export interface NewKey {
  readonly name: string;
  readonly scopes?: readonly KeyScope[];
  readonly expiresAt?: Date;
}

/** The keys of one environment, reached through the store or through a running Herald. */
export interface KeyBook {
  /** Oldest first. */
  list(): Promise<KeyRow[]>;
  /** The id of a key of the environment; undefined for any other text. */
  idOf(key: string): Promise<string | undefined>;
  issue(key: NewKey): Promise<IssuedKey>;
  rotate(id: string): Promise<IssuedKey>;
  revoke(id: string): Promise<void>;
}
