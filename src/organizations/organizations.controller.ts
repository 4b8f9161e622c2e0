import { Body, Controller, Get, Patch, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiData, ApiDataArray, ApiErrors, Tenant } from '#libs/http-kit';
import type { TenantContext } from '#libs/tenancy';
import { BrandingResponse, OrganizationResponse } from './dto/organization.response.js';
import { RenameOrganizationDto } from './dto/rename-organization.dto.js';
import { UpdateBrandingDto } from './dto/update-branding.dto.js';
import { OrganizationsService } from './organizations.service.js';

@ApiTags('Organizations')
@Controller({ path: 'organizations', version: '1' })
export class OrganizationsController {
  constructor(private readonly organizations: OrganizationsService) {}

  /** Lists the organizations that your API key can see: its own. */
  @Get()
  @ApiDataArray(200, OrganizationResponse)
  async listOrganizations(@Tenant() tenant: TenantContext): Promise<OrganizationResponse[]> {
    return [await this.organizations.get(tenant)];
  }

  /** Shows the organization that your API key belongs to. */
  @Get('me')
  @ApiData(200, OrganizationResponse)
  getCurrentOrganization(@Tenant() tenant: TenantContext): Promise<OrganizationResponse> {
    return this.organizations.get(tenant);
  }

  /** Renames your organization. */
  @Patch()
  @ApiData(200, OrganizationResponse)
  @ApiErrors(400)
  renameOrganization(
    @Tenant() tenant: TenantContext,
    @Body() { name }: RenameOrganizationDto,
  ): Promise<OrganizationResponse> {
    return this.organizations.rename(tenant, name);
  }

  /** Sets logo, colours and font of your messages, which templates see as `branding`; what is absent stays. */
  @Put('branding')
  @ApiData(200, BrandingResponse)
  @ApiErrors(400)
  updateBranding(@Tenant() tenant: TenantContext, @Body() dto: UpdateBrandingDto): Promise<BrandingResponse> {
    return this.organizations.updateBranding(tenant, dto);
  }
}
