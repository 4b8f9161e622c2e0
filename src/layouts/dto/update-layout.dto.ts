import { PartialType } from '@nestjs/swagger';
import { CreateLayoutDto } from './create-layout.dto.js';

/** What is absent stays. */
export class UpdateLayoutDto extends PartialType(CreateLayoutDto) {}
