import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { ExecutionDetailsModule } from '../execution-details/index.js';
import { IntegrationsModule } from '../integrations/index.js';
import { MessagesModule } from '../messages/index.js';
import { SubscribersModule } from '../subscribers/index.js';
import { CallbackEffects } from './callback-effects.js';
import { CallbackToken, CallbackTokens, CallbackTokenSchema } from './callback-tokens.js';
import { ProviderCallbacksController } from './provider-callbacks.controller.js';
import { ProviderCallbacksService } from './provider-callbacks.service.js';

@Module({
  imports: [
    MongooseModule.forFeature([{ name: CallbackToken.name, schema: CallbackTokenSchema }]),
    IntegrationsModule,
    MessagesModule,
    ExecutionDetailsModule,
    SubscribersModule,
  ],
  controllers: [ProviderCallbacksController],
  providers: [ProviderCallbacksService, CallbackEffects, CallbackTokens],
})
export class ProviderCallbacksModule {}
