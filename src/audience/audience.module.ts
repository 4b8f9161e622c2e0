import { Module } from '@nestjs/common';
import { ChatLinksModule } from './chat-links/index.js';
import { SegmentsModule } from './segments/index.js';
import { SubscribersModule } from './subscribers/index.js';
import { TenantsModule } from './tenants/index.js';
import { TopicsModule } from './topics/index.js';

@Module({ imports: [TenantsModule, TopicsModule, SubscribersModule, SegmentsModule, ChatLinksModule] })
export class AudienceModule {}
