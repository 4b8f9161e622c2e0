import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { NothingToUpdate, Page } from '#libs/http-kit';
import {
  onDuplicateKey,
  ownedBy,
  partialUpdate,
  ReferenceGuard,
  shortId,
  slugOf,
  type TenantModel,
  isObjectId,
  toObjectId,
  untilWritten,
  withoutNullish,
} from '#libs/persistence';
import type { TenantContext } from '#libs/common';
import type { CreateLayoutDto, ListLayoutsDto, UpdateLayoutDto } from './layout.dto.js';
import { type LayoutResponse, showLayout } from './layout.response.js';
import { Layout } from './layout.schema.js';
import {
  DefaultLayoutRequired,
  LayoutAlreadyExists,
  LayoutInUse,
  LayoutNotFound,
  LayoutVersionChanged,
  TooMuchContention,
} from './layouts.errors.js';

const SHORT_ID_LENGTH = 10;
const SLUG_LENGTH = 200;

@Injectable()
export class LayoutsService {
  constructor(
    @InjectModel(Layout.name) private readonly layouts: TenantModel<Layout>,
    private readonly references: ReferenceGuard,
  ) {}

  async create(tenant: TenantContext, { isDefault, ...dto }: CreateLayoutDto): Promise<LayoutResponse> {
    const identifier = dto.identifier ?? layoutIdentifier(dto.name);
    const row = {
      ...ownedBy(tenant),
      _creatorId: tenant.userId,
      variables: [],
      ...withoutNullish(dto),
      identifier,
      isDefault: false, // promoted after it is stored, so that a clash leaves the old default unchanged
    };
    const layout = await this.layouts.create(row).catch(refuseTaken(identifier));
    return isDefault === true ? this.makeDefault(tenant, layout._id.toHexString()) : showLayout(layout.toObject());
  }

  async list(tenant: TenantContext, query: ListLayoutsDto): Promise<Page<LayoutResponse>> {
    const { page, limit, pageSize = limit, sortBy = 'createdAt', orderBy = -1 } = query;
    const sort = { [sortBy]: orderBy, _id: orderBy };
    const [{ rows, hasMore }, totalCount] = await Promise.all([
      this.layouts.page(tenant, {}, { page, limit: pageSize, sort }),
      this.layouts.count(tenant, {}),
    ]);
    return new Page(
      rows.map((row) => showLayout(row)),
      page,
      pageSize,
      hasMore,
      totalCount,
    );
  }

  async get(tenant: TenantContext, id: string): Promise<LayoutResponse> {
    const row = await this.layouts.one(tenant, { _id: toObjectId(id) });
    if (row === undefined) throw new LayoutNotFound(id);
    return showLayout(row);
  }

  async findByIdentifier(tenant: TenantContext, identifier: string): Promise<LayoutResponse | undefined> {
    const row = await this.layouts.one(tenant, { identifier });
    return row && showLayout(row);
  }

  /** @param key the identifier of the layout, or its id */
  async findByKey(tenant: TenantContext, key: string): Promise<LayoutResponse | undefined> {
    const found = await this.findByIdentifier(tenant, key);
    if (found !== undefined || !isObjectId(key)) return found;
    const row = await this.layouts.one(tenant, { _id: toObjectId(key) });
    return row && showLayout(row);
  }

  async findDefaultId(tenant: TenantContext): Promise<string | undefined> {
    const row = await this.layouts.one(tenant, { isDefault: true }, { fields: ['_id'] });
    return row?._id.toHexString();
  }

  async findExistingIds(tenant: TenantContext, ids: readonly string[]): Promise<Set<string>> {
    return new Set((await this.layouts.byIds(tenant, ids, { fields: ['_id'] })).keys());
  }

  async identifiersByIds(tenant: TenantContext, ids: readonly string[]): Promise<Map<string, string>> {
    const rows = await this.layouts.byIds(tenant, ids, { fields: ['_id', 'identifier'] });
    return new Map([...rows].map(([id, { identifier }]) => [id, identifier]));
  }

  async idsByIdentifiers(tenant: TenantContext, identifiers: readonly string[]): Promise<Map<string, string>> {
    const where = { identifier: { $in: [...identifiers] } };
    const rows = await this.layouts.list(tenant, where, { fields: ['_id', 'identifier'] });
    return new Map(rows.map(({ _id, identifier }) => [identifier, _id.toHexString()]));
  }

  /** @param ifMatch the versions of which the layout must have one */
  async update(
    tenant: TenantContext,
    id: string,
    { isDefault, variables, ...dto }: UpdateLayoutDto,
    ifMatch?: readonly number[],
  ): Promise<LayoutResponse> {
    const fields = { ...dto, variables: variables === null ? [] : variables };
    const change = partialUpdate(fields, ['name', 'identifier', 'content']);
    if (Object.keys(change).length === 0 && typeof isDefault !== 'boolean') throw new NothingToUpdate();
    if (isDefault === false && (await this.get(tenant, id)).isDefault) throw new DefaultLayoutRequired(id);
    const updated = await this.written(tenant, id, change, isDefault === true, ifMatch).catch(
      refuseTaken(dto.identifier ?? id),
    );
    return isDefault === true ? this.makeDefault(tenant, id) : updated;
  }

  async makeDefault(tenant: TenantContext, id: string): Promise<LayoutResponse> {
    const { environmentId: _environmentId } = tenant;
    const layout = await this.get(tenant, id);
    if (layout.isDefault) return layout;
    return untilWritten(
      async () => {
        await this.layouts.updateMany(
          { _environmentId, isDefault: true, _id: { $ne: id } },
          { $set: { isDefault: false }, $inc: { __v: 1 } },
        );
        // Fails if another layout was promoted meanwhile.
        return this.write(tenant, id, { $set: { isDefault: true } }).catch(onDuplicateKey(() => undefined));
      },
      () => new TooMuchContention(),
    );
  }

  async remove(tenant: TenantContext, id: string): Promise<void> {
    if ((await this.get(tenant, id)).isDefault) throw new DefaultLayoutRequired(id);
    const result = await this.references.deleteUnused('layout', tenant, this.layouts, id, { isDefault: false });
    if (result === 'in_use') throw new LayoutInUse(id);
    if (result === 'missing') throw new DefaultLayoutRequired(id); // became the default after the check
  }

  private async written(
    tenant: TenantContext,
    id: string,
    change: object,
    isPromoted: boolean,
    ifMatch: readonly number[] | undefined,
  ): Promise<LayoutResponse> {
    const isEmpty = Object.keys(change).length === 0;
    // What only makes it the default claims the version as well, before the former default is changed.
    if (ifMatch !== undefined && (isPromoted || !isEmpty)) return this.writeVersion(tenant, id, change, ifMatch);
    if (!isEmpty) return this.write(tenant, id, change);
    const layout = await this.get(tenant, id);
    assertVersion(layout, ifMatch);
    return layout;
  }

  private async write(tenant: TenantContext, id: string, change: object): Promise<LayoutResponse> {
    const written = await this.tryWrite(tenant, id, change);
    if (written === undefined) throw new LayoutNotFound(id);
    return written;
  }

  private async writeVersion(
    tenant: TenantContext,
    id: string,
    change: object,
    ifMatch: readonly number[],
  ): Promise<LayoutResponse> {
    const written = ifMatch.length > 0 && (await this.tryWrite(tenant, id, change, { __v: { $in: [...ifMatch] } }));
    if (written) return written;
    throw new LayoutVersionChanged(id, (await this.get(tenant, id)).__v);
  }

  private async tryWrite(
    { environmentId: _environmentId }: TenantContext,
    id: string,
    change: object,
    where: object = {},
  ): Promise<LayoutResponse | undefined> {
    const row = await this.layouts
      .findOneAndUpdate(
        { ...where, _id: id, _environmentId },
        { ...change, $inc: { __v: 1 } },
        { returnDocument: 'after' },
      )
      .lean()
      .exec();
    return row === null ? undefined : showLayout(row);
  }
}

function assertVersion({ _id, __v }: LayoutResponse, ifMatch: readonly number[] | undefined): void {
  if (ifMatch !== undefined && !ifMatch.includes(__v)) throw new LayoutVersionChanged(_id, __v);
}

function refuseTaken(identifier: string): (error: unknown) => never {
  return onDuplicateKey(() => {
    throw new LayoutAlreadyExists(identifier);
  });
}

function layoutIdentifier(name: string): string {
  return `${slugOf(name, SLUG_LENGTH) || 'layout'}-${shortId(SHORT_ID_LENGTH)}`;
}
