import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiTags } from '@nestjs/swagger';
import { ApiData, ApiErrors, ApiPage, Audited, lookAt, type Page, PageQuery, Tenant } from '#libs/http-kit';
import type { TenantContext } from '#libs/common';
import { CreateTenantDto, UpdateTenantDto } from './tenant.dto.js';
import { TenantResponse } from './tenant.response.js';
import { TenantsService } from './tenants.service.js';
import { TenantAlreadyExists, TenantNotFound } from './tenants.errors.js';

@ApiTags('Tenants')
@Controller({ path: 'tenants', version: '1' })
@Audited('tenant', {
  look: lookAt(TenantsService, (tenants, caller, id) => tenants.get(caller, id)),
  idField: 'identifier',
})
export class TenantsController {
  constructor(private readonly tenants: TenantsService) {}

  /** Creates a tenant. */
  @Post()
  @ApiData(201, TenantResponse)
  @ApiErrors(TenantAlreadyExists)
  createTenant(@Tenant() tenant: TenantContext, @Body() dto: CreateTenantDto): Promise<TenantResponse> {
    return this.tenants.create(tenant, dto);
  }

  /** Lists the tenants, newest first. */
  @Get()
  @ApiPage(TenantResponse)
  listTenants(@Tenant() tenant: TenantContext, @Query() query: PageQuery): Promise<Page<TenantResponse>> {
    return this.tenants.list(tenant, query);
  }

  /** Gets a tenant. */
  @Get(':identifier')
  @ApiData(200, TenantResponse)
  @ApiErrors(TenantNotFound)
  getTenant(@Tenant() tenant: TenantContext, @Param('identifier') identifier: string): Promise<TenantResponse> {
    return this.tenants.get(tenant, identifier);
  }

  /**
   * Updates a tenant.
   * @remarks Absent fields are unchanged; `data` is replaced as a whole.
   */
  @Patch(':identifier')
  @ApiData(200, TenantResponse)
  @ApiErrors(TenantNotFound, TenantAlreadyExists)
  updateTenant(
    @Tenant() tenant: TenantContext,
    @Param('identifier') identifier: string,
    @Body() dto: UpdateTenantDto,
  ): Promise<TenantResponse> {
    return this.tenants.update(tenant, identifier, dto);
  }

  /** Deletes a tenant and its workflow overrides. */
  @Delete(':identifier')
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'Deleted' })
  @ApiErrors(TenantNotFound)
  deleteTenant(@Tenant() tenant: TenantContext, @Param('identifier') identifier: string): Promise<void> {
    return this.tenants.remove(tenant, identifier);
  }
}
