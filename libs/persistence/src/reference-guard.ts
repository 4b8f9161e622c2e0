import { Injectable } from '@nestjs/common';
import { FailPoint, type TenantContext } from '#libs/common';
import { softDeleted } from './plugins/soft-delete.plugin.js';

/** The writes of a model that deleting needs. */
interface Deletable {
  updateOne(
    filter: { _environmentId: string; [field: string]: unknown },
    update: object,
  ): PromiseLike<{ matchedCount: number }>;
}

/** After a record was looked for in others, and before it is deleted. */
export const REFERENCES_CHECKED = new FailPoint('reference.checked');

type Check = (tenant: TenantContext, id: string) => Promise<boolean>;

/**
 * Answers 'is this record in use?' without an upward import: the module that refers registers a check, the module that
 * is referred to asks before it deletes.
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
    let isUsed = false;
    for (const check of this.checks.get(kind) ?? []) isUsed ||= await check(tenant, id);
    await REFERENCES_CHECKED.pass();
    return isUsed;
  }

  /**
   * Deletes a record softly unless it is in use. It is marked before the last look, and who refers to it looks whether it is
   * there after writing: whichever comes first, one of them sees the other.
   * @param only what has to hold of the record besides
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
