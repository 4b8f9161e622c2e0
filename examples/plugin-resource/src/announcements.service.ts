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
import { AnnouncementResponse, type CreateAnnouncementDto } from './announcement.dto.js';
import { Announcement } from './announcement.schema.js';

export const AnnouncementAlreadyExists = defineError(
  409,
  'announcement_already_exists',
  (title: string) => `There is an announcement '${title}' already. Choose another title.`,
  ['Maintenance'],
);
export const AnnouncementNotFound = defineError(
  404,
  'announcement_not_found',
  (id: string) => `There is no announcement with the id '${id}'. List them with GET /v1/announcements.`,
  ['{announcementId}'],
);

const show = shower(AnnouncementResponse, ({ title, text, audience }: Announcement) => ({ title, text, audience }));

@Injectable()
export class AnnouncementsService {
  constructor(
    @InjectModel(Announcement.name) private readonly announcements: TenantModel<Announcement>,
    private readonly clock: Clock,
  ) {}

  async create(tenant: TenantContext, dto: CreateAnnouncementDto): Promise<AnnouncementResponse> {
    const { title, text, audience = 'everyone' } = dto;
    const row = await this.announcements.create({ ...ownedBy(tenant), title, text, audience }).catch(
      onDuplicateKey(() => {
        throw new AnnouncementAlreadyExists(title);
      }),
    );
    return show(row.toObject());
  }

  async list(tenant: TenantContext): Promise<AnnouncementResponse[]> {
    const rows = await this.announcements.list(tenant, {}, { sort: NEWEST_FIRST });
    return rows.map((row) => show(row));
  }

  async remove(tenant: TenantContext, _id: string): Promise<void> {
    const filter = { _environmentId: tenant.environmentId, _id };
    const deletion = softDeleted(tenant.apiKeyId, this.clock.now());
    if ((await this.announcements.findOneAndUpdate(filter, deletion)) === null) throw new AnnouncementNotFound(_id);
  }
}
