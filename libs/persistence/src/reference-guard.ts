import { Injectable } from '@nestjs/common';
import { FailPoint, type TenantContext } from '#libs/common';
import { softDeleted } from './plugins/soft-delete.plugin.js';

interface Deletable {
  updateOne(
    filter: { _environmentId: string; [field: string]: unknown },
    update: object,
  ): PromiseLike<{ matchedCount: number }>;
}

/** Between the search for references and the deletion. */
export const REFERENCES_CHECKED = new FailPoint('reference.checked');

type Check = (tenant: TenantContext, id: string) => Promise<boolean>;

/**
 * Avoids upward imports: modules that hold references register a check, and the owner of a record runs the checks
 * before it deletes.
 */
@Injectable()
export class ReferenceGuard {
  private readonly checks = new Map<string, Check[]>();

  /** @param kind of the referenced record, such as `feed` */
  register(kind: string, check: Check): void {
    this.checks.set(kind, [...(this.checks.get(kind) ?? []), check]);
  }

  async isUsed(kind: string, tenant: TenantContext, id: string): Promise<boolean> {
    let isUsed = false;
    for (const check of this.checks.get(kind) ?? []) isUsed ||= await check(tenant, id);
    await REFERENCES_CHECKED.pass();
    return isUsed;
  }

  /**
   * Soft deletion. The record is marked as deleted before the last check, and a new reference checks after its write
   * that the record exists: whichever write comes first, one side sees the other.
   * @param only further conditions on the record
   */
  async deleteUnused(
    kind: string,
    tenant: TenantContext,
    model: Deletable,
    _id: string,
    only: object = {},
  ): Promise<'deleted' | 'missing' | 'in_use'> {
    if (await this.isUsed(kind, tenant, _id)) return 'in_use';
    const own = { _id, _environmentId: tenant.environmentId };
    const { matchedCount } = await model.updateOne({ ...own, ...only }, softDeleted(tenant.apiKeyId, new Date()));
    if (matchedCount === 0) return 'missing';
    if (!(await this.isUsed(kind, tenant, _id))) return 'deleted';
    await model.updateOne(
      { ...own, deleted: true },
      { $set: { deleted: false }, $unset: { deletedAt: 1, deletedBy: 1 } },
    );
    return 'in_use';
  }
}
