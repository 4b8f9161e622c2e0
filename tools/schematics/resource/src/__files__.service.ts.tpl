import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Page, type PageQuery } from '#libs/http-kit';
import {
  NEWEST_FIRST,
  onDuplicateKey,
  ownedBy,
  partialUpdate,
  softDeleted,
  type TenantModel,
  toObjectId,
  withoutNullish,
} from '#libs/persistence';
import type { TenantContext } from '#libs/common';
import type { Create__Name__Dto, Update__Name__Dto } from './__file__.dto.js';
import { type __Name__Response, show__Name__ } from './__file__.response.js';
import { __Name__ } from './__file__.schema.js';
import { __Name__AlreadyExists, __Name__NotFound } from './__files__.errors.js';

@Injectable()
export class __Names__Service {
  constructor(@InjectModel(__Name__.name) private readonly __names__: TenantModel<__Name__>) {}

  /** @throws {__Name__AlreadyExists} */
  async create(tenant: TenantContext, dto: Create__Name__Dto): Promise<__Name__Response> {
    const row = await this.__names__
      .create({ ...ownedBy(tenant), ...withoutNullish(dto) })
      .catch(refuseTaken(dto.name));
    return show__Name__(row.toObject());
  }

  /** The __texts__ of the environment, newest first. */
  async list(tenant: TenantContext, query: PageQuery): Promise<Page<__Name__Response>> {
    const { rows, hasMore } = await this.__names__.page(tenant, {}, { ...query, sort: NEWEST_FIRST });
    return new Page(
      rows.map((row) => show__Name__(row)),
      query.page,
      query.limit,
      hasMore,
    );
  }

  /** @throws {__Name__NotFound} */
  async get(tenant: TenantContext, id: string): Promise<__Name__Response> {
    const row = await this.__names__.one(tenant, { _id: toObjectId(id) });
    if (row === undefined) throw new __Name__NotFound(id);
    return show__Name__(row);
  }

  /** @throws {__Name__NotFound} @throws {__Name__AlreadyExists} when the new name is taken */
  async update(tenant: TenantContext, id: string, dto: Update__Name__Dto): Promise<__Name__Response> {
    const row = await this.__names__
      .findOneAndUpdate({ _id: id, _environmentId: tenant.environmentId }, partialUpdate(dto, ['name']), {
        returnDocument: 'after',
      })
      .lean()
      .exec()
      .catch(refuseTaken(dto.name ?? ''));
    if (row === null) throw new __Name__NotFound(id);
    return show__Name__(row);
  }

  /** @throws {__Name__NotFound} */
  async remove(tenant: TenantContext, id: string): Promise<void> {
    const { matchedCount } = await this.__names__.updateOne(
      { _id: id, _environmentId: tenant.environmentId },
      softDeleted(tenant.apiKeyId, new Date()),
    );
    if (matchedCount === 0) throw new __Name__NotFound(id);
  }
}

function refuseTaken(name: string): (error: unknown) => never {
  return onDuplicateKey(() => {
    throw new __Name__AlreadyExists(name);
  });
}
