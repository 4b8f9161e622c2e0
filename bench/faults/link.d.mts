import type { NetConnectOpts } from 'node:net';

export type LinkState =
  { readonly kind: 'pass' | 'silent' | 'refuse' } | { readonly kind: 'slow'; readonly ms: number };

export const PASS: LinkState;

export class Link {
  /** Connections that were not taken. */
  readonly refused: number;
  readonly port: number;
  constructor(name: string, target: NetConnectOpts, options: { readonly isStore: boolean });
  listen(): Promise<this>;
  set(state: LinkState): void;
  close(): void;
}
