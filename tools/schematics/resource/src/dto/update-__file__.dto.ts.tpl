import { PartialType } from '@nestjs/swagger';
import { Create__Name__Dto } from './create-__file__.dto.js';

/** What is absent stays; `description` is removed by null. */
export class Update__Name__Dto extends PartialType(Create__Name__Dto) {}
