import { Module } from '@nestjs/common';
import { RecipientLinks } from './recipient-links.js';

@Module({ providers: [RecipientLinks], exports: [RecipientLinks] })
export class RecipientLinksModule {}
