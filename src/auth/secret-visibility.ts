import { Injectable } from '@nestjs/common';
import { AppConfig } from '#libs/config';
import type { KeyRights } from '#libs/common';

/** Stands where a secret is not shown. */
export const MASKED = '********';

/** Decides who sees secrets that are stored: keys with the scope admin, and nobody where MASK_CREDENTIALS is set. */
@Injectable()
export class SecretVisibility {
  private readonly isNobody: boolean;

  constructor(config: AppConfig) {
    this.isNobody = config.get('MASK_CREDENTIALS');
  }

  isFullFor({ scopes }: KeyRights): boolean {
    return !this.isNobody && scopes.includes('admin');
  }
}
