import { Injectable } from '@nestjs/common';
import { ContentStores } from './content-stores.js';
import type { DefinitionStore } from './definition-store.js';
import { WorkflowStores } from './workflow-stores.js';

/** The kinds of definitions, each after what it refers to. */
@Injectable()
export class DefinitionStores {
  readonly all: readonly DefinitionStore[];

  constructor(contents: ContentStores, workflows: WorkflowStores) {
    this.all = [...contents.all, ...workflows.all];
  }
}
