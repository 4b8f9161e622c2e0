import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { SubscribersModule } from '../../audience/subscribers/index.js';
import { TenantsModule } from '../../audience/tenants/index.js';
import { TopicsModule } from '../../audience/topics/index.js';
import { IntegrationsModule } from '../../channels/integrations/index.js';
import { WorkflowsModule } from '../../content/workflows/index.js';
import { AuthModule } from '../../platform/auth/index.js';
import { RenderingModule } from '../../platform/rendering/index.js';
import { RecipientLinksModule } from '../../platform/recipient-links/index.js';
import { DeliveryModule } from '../delivery/index.js';
import { EventsModule } from '../events/index.js';
import { MessagesModule } from '../messages/index.js';
import { AgentRequests } from './agent-requests.js';
import { AskStep } from './ask.step.js';
import { AnswerSignatures } from './answer-signature.js';
import { Question, QuestionSchema } from './question.schema.js';
import { QuestionAnswers } from './question-answers.js';
import { QuestionAsking } from './question-asking.js';
import { QuestionChats } from './question-chats.js';
import { QuestionClosing } from './question-closing.js';
import { QuestionDrafts } from './question-draft.js';
import { QuestionErasure } from './question-erasure.js';
import { QuestionQueue, QuestionStore } from './question-store.js';
import { QuestionWorkflows } from './question-workflows.js';
import { QuestionWaits } from './question-waits.js';
import { QuestionWorker } from './question-worker.js';
import { QuestionsController } from './questions.controller.js';
import { QuestionsService } from './questions.service.js';

@Module({
  imports: [
    MongooseModule.forFeature([{ name: Question.name, schema: QuestionSchema }]),
    AuthModule,
    DeliveryModule,
    EventsModule,
    IntegrationsModule,
    MessagesModule,
    RecipientLinksModule,
    RenderingModule,
    SubscribersModule,
    TenantsModule,
    TopicsModule,
    WorkflowsModule,
  ],
  controllers: [QuestionsController],
  providers: [
    AgentRequests,
    AnswerSignatures,
    AskStep,
    QuestionAnswers,
    QuestionAsking,
    QuestionChats,
    QuestionClosing,
    QuestionDrafts,
    QuestionErasure,
    QuestionQueue,
    QuestionStore,
    QuestionWaits,
    QuestionWorker,
    QuestionWorkflows,
    QuestionsService,
  ],
  exports: [QuestionAnswers, QuestionChats, QuestionErasure, QuestionQueue, QuestionWorker, QuestionsService],
})
export class QuestionsModule {}
