import { PickType } from '@nestjs/swagger';
import { ReadBack } from '#libs/http-kit';
import { CreateTopicDto } from './create-topic.dto.js';

@ReadBack('key', 'subscribers')
export class RenameTopicDto extends PickType(CreateTopicDto, ['name']) {}
