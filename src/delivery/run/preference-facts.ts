import { Injectable } from '@nestjs/common';
import { PreferencesService } from '../../preferences/index.js';
import { type Run, tenantOf } from './run.js';

/** Reads what the subscribers of a batch of runs have said about being notified. */
@Injectable()
export class PreferenceFacts {
  constructor(private readonly preferences: PreferencesService) {}

  /** One query for each workflow of each environment in the batch; critical workflows ask nobody. */
  async attach(runs: readonly Run[]): Promise<void> {
    const groups = new Map<string, Run[]>();
    for (const run of runs) {
      if (run.workflow.critical) continue;
      const key = `${run.event._environmentId.toHexString()}:${run.workflow.id}`;
      const group = groups.get(key);
      if (group) group.push(run);
      else groups.set(key, [run]);
    }
    await Promise.all([...groups.values()].map((group) => this.attachGroup(group)));
  }

  private async attachGroup(group: readonly Run[]): Promise<void> {
    const [first] = group;
    if (first === undefined) return;
    const ids = [...new Set(group.map(({ facts }) => facts.subscriber._id))];
    const said = await this.preferences.forSubscribers(tenantOf(first.event), ids, first.workflow.id);
    for (const { facts } of group) {
      const { global, workflow } = said.get(facts.subscriber._id) ?? {};
      if (global) facts.globalPreference = global;
      if (workflow) facts.workflowPreference = workflow;
    }
  }
}
