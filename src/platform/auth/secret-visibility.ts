import { Injectable } from '@nestjs/common';
import { AppConfig } from '#libs/config';
import type { KeyRights } from '#libs/common';

/** Admin keys see stored secrets, or no key does if MASK_CREDENTIALS is set. */
@Injectable()
export class SecretVisibility {
  private readonly masksForAll: boolean;

  constructor(config: AppConfig) {
    this.masksForAll = config.get('MASK_CREDENTIALS');
  }

  isFullFor({ scopes }: KeyRights): boolean {
    return !this.masksForAll && scopes.includes('admin');
  }
}
