import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import {
  type DefinedRecord,
  type DefinitionChange,
  definitionChange,
  isChange,
  type TenantContext,
} from '#libs/common';
import { Page, type PageQuery } from '#libs/http-kit';
import {
  OLDEST_FIRST,
  onDuplicateKey,
  ownedBy,
  type TenantModel,
  untilWritten,
  withoutNullish,
} from '#libs/persistence';
import type { LayoutDefinitionDto } from './layout.dto.js';
import { Layout } from './layout.schema.js';
import { TooMuchContention } from './layouts.errors.js';

type Fields = Pick<Layout, 'name' | 'identifier' | 'description' | 'content' | 'variables' | 'isDefault'>;

@Injectable()
export class LayoutDefinitionsService {
  constructor(@InjectModel(Layout.name) private readonly layouts: TenantModel<Layout>) {}

  async list(tenant: TenantContext, query: PageQuery): Promise<Page<DefinedRecord<LayoutDefinitionDto>>> {
    const { rows, hasMore } = await this.layouts.page(tenant, {}, { ...query, sort: OLDEST_FIRST });
    const records = rows.map((row) => ({ id: row._id.toHexString(), definition: definitionOf(row) }));
    return new Page(records, query.page, query.limit, hasMore);
  }

  /** One write. @param isDryRun only reports what would happen */
  define(
    tenant: TenantContext,
    dto: LayoutDefinitionDto,
    isDryRun: boolean,
  ): Promise<DefinitionChange<LayoutDefinitionDto>> {
    return untilWritten(
      async () => {
        const before = await this.layouts.one(tenant, { identifier: dto.identifier });
        const after = fieldsOf(dto, before);
        const change = definitionChange(before ? definitionOf(before) : null, definitionOf(after));
        if (!isChange(change, isDryRun)) return change;
        // The write fails if another request creates or changes this layout, or promotes another one meanwhile.
        return this.write(tenant, before, after).then((isWritten) => (isWritten ? change : undefined));
      },
      () => new TooMuchContention(),
    );
  }

  private async write(tenant: TenantContext, before: Layout | undefined, after: Fields): Promise<boolean> {
    const { environmentId: _environmentId } = tenant;
    if (after.isDefault && before?.isDefault !== true) {
      const change = { $set: { isDefault: false }, $inc: { __v: 1 } };
      await this.layouts.updateMany({ _environmentId, isDefault: true }, change);
    }
    if (before === undefined) {
      const row = { ...ownedBy(tenant), _creatorId: tenant.userId, ...after };
      return this.layouts.create(row).then(
        () => true,
        onDuplicateKey(() => false),
      );
    }
    const { isDefault, ...fields } = after;
    const change = {
      $set: { ...fields, ...(isDefault && { isDefault }) },
      ...(after.description === undefined && { $unset: { description: 1 as const } }),
      $inc: { __v: 1 },
    };
    return this.layouts.updateOne({ _id: before._id, _environmentId, __v: before.__v }, change).then(
      ({ matchedCount }) => matchedCount === 1,
      onDuplicateKey(() => false),
    );
  }
}

function fieldsOf(dto: LayoutDefinitionDto, before: Layout | undefined): Fields {
  const { name, identifier, content, description } = dto;
  return {
    name,
    identifier,
    ...withoutNullish({ description: description ?? undefined }),
    content,
    variables: dto.variables ?? [],
    isDefault: dto.isDefault === true || before?.isDefault === true,
  };
}

function definitionOf({ identifier, name, description, isDefault, variables, content }: Fields): LayoutDefinitionDto {
  return {
    identifier,
    name,
    ...(description !== undefined && { description }),
    ...(isDefault && { isDefault }),
    ...(variables.length > 0 && { variables }),
    content,
  };
}
