import { PartialType } from '@nestjs/swagger';
import { ReadBack } from '#libs/http-kit';
import { CreateLayoutDto, SHOWN_OF_LAYOUTS } from './create-layout.dto.js';

/** What is absent stays. */
@ReadBack(...SHOWN_OF_LAYOUTS)
export class UpdateLayoutDto extends PartialType(CreateLayoutDto) {}
