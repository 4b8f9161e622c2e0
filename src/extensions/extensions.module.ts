import { Module } from '@nestjs/common';

/** What a team adds to Herald. `npx nest generate` writes modules beside this file and enters them here. */
@Module({ imports: [] })
export class ExtensionsModule {}
