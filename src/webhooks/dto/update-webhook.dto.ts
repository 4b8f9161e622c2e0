import { PartialType } from '@nestjs/swagger';
import { ReadBack } from '#libs/http-kit';
import { CreateWebhookDto } from './create-webhook.dto.js';

/** What is absent stays. */
@ReadBack('disabledReason', 'disabledAt')
export class UpdateWebhookDto extends PartialType(CreateWebhookDto) {}
