import { Module } from '@nestjs/common';
import { IntegrationsModule } from './integrations/index.js';

@Module({ imports: [IntegrationsModule] })
export class ChannelsModule {}
