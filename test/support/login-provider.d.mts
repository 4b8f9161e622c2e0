export interface LoginProvider {
  readonly issuer: string;
  /** Claims by `sub`, which is what people type. */
  readonly people: Map<string, Readonly<Record<string, unknown>>>;
  readonly settings: Record<'OIDC_ISSUER' | 'OIDC_CLIENT_ID' | 'OIDC_CLIENT_SECRET', string>;
  close(): Promise<void>;
}

export function startLoginProvider(options: {
  readonly redirectUri: string;
  readonly port?: number;
  readonly inToken?: boolean;
}): Promise<LoginProvider>;
