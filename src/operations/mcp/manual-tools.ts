import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { Manual } from './manual.js';
import { tool, type Tool } from './tool.js';

/** What Herald can do, and how. */
@Injectable()
export class ManualTools {
  readonly tools: readonly Tool[] = [this.search()];

  constructor(private readonly manual: Manual) {}

  private search(): Tool {
    return tool({
      name: 'search_manual',
      description: "Searches Herald's manual and returns the best sections.",
      scope: 'read',
      resource: 'manual',
      isReadOnly: true,
      action: 'searchManual',
      input: z.strictObject({ query: z.string().min(1).max(300), limit: z.int().min(1).max(8).default(3) }),
      run: async (_caller, { query, limit }) => ({ data: { sections: await this.manual.search(query, limit) } }),
    });
  }
}
