import { PartialType } from '@nestjs/swagger';
import { CreateWebhookDto } from './create-webhook.dto.js';

/** What is absent stays. */
export class UpdateWebhookDto extends PartialType(CreateWebhookDto) {}
