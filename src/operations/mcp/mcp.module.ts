import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { SubscribersModule } from '../../audience/subscribers/index.js';
import { PreferencesModule } from '../../content/preferences/index.js';
import { WorkflowsModule } from '../../content/workflows/index.js';
import { EventsModule } from '../../engine/events/index.js';
import { PreviewsModule } from '../../engine/previews/index.js';
import { QuestionsModule } from '../../engine/questions/index.js';
import { ActivityModule } from '../../outcomes/activity/index.js';
import { AuditLogModule } from '../../outcomes/audit-log/index.js';
import { NotificationReplaysModule } from '../../outcomes/notification-replays/index.js';
import { NotificationsModule } from '../../outcomes/notifications/index.js';
import { WhyModule } from '../../outcomes/why/index.js';
import { AuthModule } from '../../platform/auth/index.js';
import { EnvironmentsModule } from '../../platform/environments/index.js';
import { AgentSends } from './agent-sends.js';
import { AgentUse, AgentUseSchema } from './agent-use.schema.js';
import { AgentUses } from './agent-uses.js';
import { Manual } from './manual.js';
import { McpController } from './mcp.controller.js';
import { McpService } from './mcp.service.js';
import { ToolBox } from './tool-box.js';
import { ToolRunner } from './tool-runner.js';
import { DeliveryTools } from './delivery-tools.js';
import { ManualTools } from './manual-tools.js';
import { PeopleTools } from './people-tools.js';
import { QuestionTools } from './question-tools.js';
import { SendingTools } from './sending-tools.js';
import { WorkflowTools } from './workflow-tools.js';

/** Tools of agents by the Model Context Protocol, on the services that the routes call. */
@Module({
  imports: [
    MongooseModule.forFeature([{ name: AgentUse.name, schema: AgentUseSchema }]),
    ActivityModule,
    AuthModule,
    AuditLogModule,
    EnvironmentsModule,
    EventsModule,
    NotificationReplaysModule,
    NotificationsModule,
    PreferencesModule,
    PreviewsModule,
    QuestionsModule,
    SubscribersModule,
    WhyModule,
    WorkflowsModule,
  ],
  controllers: [McpController],
  providers: [
    McpService,
    ToolRunner,
    ToolBox,
    AgentSends,
    AgentUses,
    Manual,
    DeliveryTools,
    PeopleTools,
    WorkflowTools,
    SendingTools,
    QuestionTools,
    ManualTools,
  ],
})
export class McpModule {}
