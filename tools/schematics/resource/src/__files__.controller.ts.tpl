import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiTags } from '@nestjs/swagger';
import { ApiData, ApiErrors, ApiPage, Audited, IdParam, lookAt, type Page, PageQuery, Tenant } from '#libs/http-kit';
import type { TenantContext } from '#libs/common';
import { Create__Name__Dto, Update__Name__Dto } from './__file__.dto.js';
import { __Name__Response } from './__file__.response.js';
import { __Name__AlreadyExists, __Name__NotFound } from './__files__.errors.js';
import { __Names__Service } from './__files__.service.js';

@ApiTags('__Texts__')
@Controller({ path: '__files__', version: '1' })
@Audited('__file__', {
  look: lookAt(__Names__Service, (__names__, caller, id) => __names__.get(caller, id)),
})
export class __Names__Controller {
  constructor(private readonly __names__: __Names__Service) {}

  /** Creates __aText__. */
  @Post()
  @ApiData(201, __Name__Response)
  @ApiErrors(__Name__AlreadyExists)
  create__Name__(@Tenant() tenant: TenantContext, @Body() dto: Create__Name__Dto): Promise<__Name__Response> {
    return this.__names__.create(tenant, dto);
  }

  /** Lists the __texts__, newest first. */
  @Get()
  @ApiPage(__Name__Response)
  list__Names__(@Tenant() tenant: TenantContext, @Query() query: PageQuery): Promise<Page<__Name__Response>> {
    return this.__names__.list(tenant, query);
  }

  /** Gets __aText__. */
  @Get(':__name__Id')
  @ApiData(200, __Name__Response)
  @ApiErrors(__Name__NotFound)
  get__Name__(@Tenant() tenant: TenantContext, @IdParam('__name__Id') __name__Id: string): Promise<__Name__Response> {
    return this.__names__.get(tenant, __name__Id);
  }

  /** Updates __aText__; what is absent stays. */
  @Patch(':__name__Id')
  @ApiData(200, __Name__Response)
  @ApiErrors(__Name__NotFound, __Name__AlreadyExists)
  update__Name__(
    @Tenant() tenant: TenantContext,
    @IdParam('__name__Id') __name__Id: string,
    @Body() dto: Update__Name__Dto,
  ): Promise<__Name__Response> {
    return this.__names__.update(tenant, __name__Id, dto);
  }

  /** Deletes __aText__; its name can be used again. */
  @Delete(':__name__Id')
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'It is deleted' })
  @ApiErrors(__Name__NotFound)
  delete__Name__(@Tenant() tenant: TenantContext, @IdParam('__name__Id') __name__Id: string): Promise<void> {
    return this.__names__.remove(tenant, __name__Id);
  }
}
