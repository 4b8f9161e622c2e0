import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import {
  Clock,
  defineError,
  NEWEST_FIRST,
  onDuplicateKey,
  ownedBy,
  shower,
  softDeleted,
  type TenantContext,
  type TenantModel,
} from 'herald/plugin';
import { type __Name__Dto, __Name__Response } from './__file__.dto.js';
import { __Name__ } from './__file__.schema.js';

export const __Name__AlreadyExists = defineError(
  409,
  '__code___already_exists',
  (name: string) => `There is __aText__ '${name}' already. Choose another name.`,
  ['Example'],
);
export const __Name__NotFound = defineError(
  404,
  '__code___not_found',
  (id: string) => `There is no __text__ with the id '${id}'. List them with GET /v1/__files__.`,
  ['{__name__Id}'],
);

const show = shower(__Name__Response, ({ name }: __Name__) => ({ name }));

const taken = (name: string) =>
  onDuplicateKey(() => {
    throw new __Name__AlreadyExists(name);
  });

@Injectable()
export class __Names__Service {
  constructor(
    @InjectModel(__Name__.name) private readonly __names__: TenantModel<__Name__>,
    private readonly clock: Clock,
  ) {}

  async create(tenant: TenantContext, { name }: __Name__Dto): Promise<__Name__Response> {
    const row = await this.__names__.create({ ...ownedBy(tenant), name }).catch(taken(name));
    return show(row.toObject());
  }

  async list(tenant: TenantContext): Promise<__Name__Response[]> {
    const rows = await this.__names__.list(tenant, {}, { sort: NEWEST_FIRST });
    return rows.map((row) => show(row));
  }

  async change(tenant: TenantContext, _id: string, { name }: __Name__Dto): Promise<__Name__Response> {
    const filter = { _environmentId: tenant.environmentId, _id };
    const row = await this.__names__
      .findOneAndUpdate(filter, { $set: { name } }, { returnDocument: 'after' })
      .catch(taken(name));
    if (row === null) throw new __Name__NotFound(_id);
    return show(row.toObject());
  }

  async remove(tenant: TenantContext, _id: string): Promise<void> {
    const filter = { _environmentId: tenant.environmentId, _id };
    const deletion = softDeleted(tenant.apiKeyId, this.clock.now());
    if ((await this.__names__.findOneAndUpdate(filter, deletion)) === null) throw new __Name__NotFound(_id);
  }
}
