import { Module } from '@nestjs/common';
import { QuestionsModule } from '../../engine/questions/index.js';
import { SubscribersModule } from '../../audience/subscribers/index.js';
import { PreferencePagesModule } from '../preference-pages/index.js';
import { AnswerPageController } from './answer-page.controller.js';
import { AnswerPageService } from './answer-page.service.js';
import { InboxQuestionsController } from './inbox-questions.controller.js';

@Module({
  imports: [PreferencePagesModule, QuestionsModule, SubscribersModule],
  controllers: [AnswerPageController, InboxQuestionsController],
  providers: [AnswerPageService],
})
export class QuestionPagesModule {}
