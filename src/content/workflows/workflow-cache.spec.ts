import type { ResolvedWorkflow } from './resolved-workflow.js';
import { WorkflowCache } from './workflow-cache.js';

const workflow = (id: string, version = 0): ResolvedWorkflow => ({ id, version }) as ResolvedWorkflow;

describe('WorkflowCache', () => {
  it('should load once and then answer from memory', async () => {
    const cache = new WorkflowCache();
    let loads = 0;
    const load = (): Promise<ResolvedWorkflow> => Promise.resolve(workflow('a', ++loads));
    expect(await cache.get('env', 'x', load)).toEqual(workflow('a', 1));
    expect(await cache.get('env', 'x', load)).toEqual(workflow('a', 1));
    expect(await cache.get('other', 'x', load)).toEqual(workflow('a', 2));
  });

  it('should forget a workflow that was changed, and no other', async () => {
    const cache = new WorkflowCache();
    await cache.get('env', 'x', () => Promise.resolve(workflow('a')));
    await cache.get('env', 'y', () => Promise.resolve(workflow('b')));
    cache.forget('env', 'a');
    const changed = (): Promise<ResolvedWorkflow> => Promise.resolve(workflow('changed'));
    expect(await cache.get('env', 'x', changed)).toEqual(workflow('changed'));
    expect(await cache.get('env', 'y', changed)).toEqual(workflow('b'));
  });

  it('should not remember that there was none', async () => {
    const cache = new WorkflowCache();
    expect(await cache.get('env', 'x', () => Promise.resolve(undefined))).toBeUndefined();
    expect(await cache.get('env', 'x', () => Promise.resolve(workflow('a')))).toEqual(workflow('a'));
  });

  it('should not keep what was read while it changed', async () => {
    const cache = new WorkflowCache();
    await cache.get('env', 'x', () => {
      cache.forget('env', 'a');
      return Promise.resolve(workflow('a', 1));
    });
    expect(await cache.get('env', 'x', () => Promise.resolve(workflow('a', 2)))).toEqual(workflow('a', 2));
  });
});
