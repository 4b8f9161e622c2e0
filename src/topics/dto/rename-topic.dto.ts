import { PickType } from '@nestjs/swagger';
import { CreateTopicDto } from './create-topic.dto.js';

export class RenameTopicDto extends PickType(CreateTopicDto, ['name']) {}
