import { Body, Controller, Delete, Get, HttpCode, Post, Put } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiData, ApiDataArray, ApiErrors, IdParam, Tenant, type TenantContext } from 'herald/plugin';
import { __Name__Dto, __Name__Response } from './__file__.dto.js';
import { __Name__AlreadyExists, __Name__NotFound, __Names__Service } from './__files__.service.js';

/** GET needs an API key with the scope `read`, every other method one with the scope `write`. */
@ApiTags('__Texts__')
@Controller({ path: '__files__', version: '1' })
export class __Names__Controller {
  constructor(private readonly __names__: __Names__Service) {}

  @Post()
  @ApiOperation({ summary: 'Creates __aText__.' })
  @ApiData(201, __Name__Response)
  @ApiErrors(__Name__AlreadyExists)
  create__Name__(@Tenant() tenant: TenantContext, @Body() dto: __Name__Dto): Promise<__Name__Response> {
    return this.__names__.create(tenant, dto);
  }

  @Get()
  @ApiOperation({ summary: 'Lists the __texts__, newest first.' })
  @ApiDataArray(200, __Name__Response)
  list__Names__(@Tenant() tenant: TenantContext): Promise<__Name__Response[]> {
    return this.__names__.list(tenant);
  }

  @Put(':__name__Id')
  @ApiOperation({ summary: 'Changes __aText__.' })
  @ApiData(200, __Name__Response)
  @ApiErrors(__Name__NotFound, __Name__AlreadyExists)
  change__Name__(
    @Tenant() tenant: TenantContext,
    @IdParam('__name__Id') id: string,
    @Body() dto: __Name__Dto,
  ): Promise<__Name__Response> {
    return this.__names__.change(tenant, id, dto);
  }

  @Delete(':__name__Id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Deletes __aText__.' })
  @ApiNoContentResponse({ description: 'Deleted' })
  @ApiErrors(__Name__NotFound)
  delete__Name__(@Tenant() tenant: TenantContext, @IdParam('__name__Id') id: string): Promise<void> {
    return this.__names__.remove(tenant, id);
  }
}
