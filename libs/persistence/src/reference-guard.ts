import { Injectable } from '@nestjs/common';
import type { TenantContext } from '#libs/tenancy';

type Check = (tenant: TenantContext, id: string) => Promise<boolean>;

/**
 * Answers 'is this record in use?' without an upward import: the module that refers registers a check, the module that
 * is referred to asks before it deletes (architecture B.2).
 */
@Injectable()
export class ReferenceGuard {
  private readonly checks = new Map<string, Check[]>();

  /** @param kind what is referred to, such as `feed` */
  register(kind: string, check: Check): void {
    this.checks.set(kind, [...(this.checks.get(kind) ?? []), check]);
  }

  /** True when any registered check finds a reference. */
  async isUsed(kind: string, tenant: TenantContext, id: string): Promise<boolean> {
    for (const check of this.checks.get(kind) ?? []) {
      if (await check(tenant, id)) return true;
    }
    return false;
  }
}
