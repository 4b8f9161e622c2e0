import { Body, Controller, Get, Patch, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiData, ApiDataArray, Audited, lookAt, NeedsScope, Tenant } from '#libs/http-kit';
import type { TenantContext } from '#libs/common';
import { BrandingResponse, OrganizationResponse } from './organization.response.js';
import { RenameOrganizationDto, UpdateBrandingDto } from './organization.dto.js';
import { BrandingsService } from './brandings.service.js';
import { OrganizationsService } from './organizations.service.js';

@ApiTags('Organizations')
@Controller({ path: 'organizations', version: '1' })
@Audited('organization', { look: lookAt(OrganizationsService, (organizations, caller) => organizations.get(caller)) })
export class OrganizationsController {
  constructor(
    private readonly organizations: OrganizationsService,
    private readonly brandings: BrandingsService,
  ) {}

  /** Lists your organizations: the organization of the API key. */
  @Get()
  @ApiDataArray(200, OrganizationResponse)
  async listOrganizations(@Tenant() tenant: TenantContext): Promise<OrganizationResponse[]> {
    return [await this.organizations.get(tenant)];
  }

  /** Gets the organization of the API key. */
  @Get('me')
  @ApiData(200, OrganizationResponse)
  getCurrentOrganization(@Tenant() tenant: TenantContext): Promise<OrganizationResponse> {
    return this.organizations.get(tenant);
  }

  /** Renames your organization. */
  @Patch()
  @NeedsScope('admin')
  @ApiData(200, OrganizationResponse)
  renameOrganization(
    @Tenant() tenant: TenantContext,
    @Body() { name }: RenameOrganizationDto,
  ): Promise<OrganizationResponse> {
    return this.organizations.rename(tenant, name);
  }

  /**
   * Sets the logo, colors and font for the messages of your environment.
   * @remarks Templates read them as `branding`. Absent fields are unchanged.
   */
  @Put('branding')
  @ApiData(200, BrandingResponse)
  updateBranding(@Tenant() tenant: TenantContext, @Body() dto: UpdateBrandingDto): Promise<BrandingResponse> {
    return this.brandings.update(tenant, dto);
  }
}
