import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { ExecutionDetailsModule } from '../../engine/execution-details/index.js';
import { IntegrationsModule } from '../../channels/integrations/index.js';
import { MessagesModule } from '../../engine/messages/index.js';
import { ChatLinksModule } from '../../audience/chat-links/index.js';
import { QuestionsModule } from '../../engine/questions/index.js';
import { RecipientLinksModule } from '../../platform/recipient-links/index.js';
import { SubscribersModule } from '../../audience/subscribers/index.js';
import { SuppressionsModule } from '../../content/suppressions/index.js';
import { ButtonPresses } from './button-presses.js';
import { CallbackEffects } from './callback-effects.js';
import { CallbackToken, CallbackTokens, CallbackTokenSchema } from './callback-tokens.js';
import { EarlyReport, EarlyReportSchema } from './early-report.schema.js';
import { EarlyReports } from './early-reports.js';
import { ReceiptEffects } from './receipt-effects.js';
import { ReceiptWorker } from './receipt-worker.js';
import { ProviderCallbacksController } from './provider-callbacks.controller.js';
import { ProviderCallbacksService } from './provider-callbacks.service.js';

@Module({
  imports: [
    MongooseModule.forFeature([
      { name: CallbackToken.name, schema: CallbackTokenSchema },
      { name: EarlyReport.name, schema: EarlyReportSchema },
    ]),
    IntegrationsModule,
    MessagesModule,
    ExecutionDetailsModule,
    SubscribersModule,
    SuppressionsModule,
    ChatLinksModule,
    QuestionsModule,
    RecipientLinksModule,
  ],
  controllers: [ProviderCallbacksController],
  providers: [
    ProviderCallbacksService,
    ButtonPresses,
    CallbackEffects,
    CallbackTokens,
    EarlyReports,
    ReceiptEffects,
    ReceiptWorker,
  ],
  exports: [ReceiptWorker],
})
export class ProviderCallbacksModule {}
