import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Client, type VersionNegotiationMode } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { agentKey } from '../support/agents.js';
import { useHerald, useSession } from '../support/herald.js';
import { builtProgram, runProgram } from '../support/program.js';

const api = useHerald();
const session = useSession(api);
const LIVE = 'apps/admin/src/live.js';
const settings = (key: string): Record<string, string> => ({
  HERALD_URL: api.url,
  HERALD_API_KEY: key,
});

describe('herald mcp', () => {
  it.each<VersionNegotiationMode>(['legacy', 'auto'])(
    'should connect a client (%s) with the tools of Herald',
    async (mode) => {
      await session.post('/v1/subscribers', { subscriberId: 'ada' }).expect(201);
      const agent = new Client({ name: 'test agent', version: '1' }, { versionNegotiation: { mode } });
      const args = [...builtProgram(LIVE), 'mcp'];
      await agent.connect(
        new StdioClientTransport({ command: process.execPath, args, env: settings((await agentKey(session)).key) }),
      );
      try {
        expect(agent.getServerVersion()).toMatchObject({ name: 'herald' });
        expect(agent.getInstructions()).toContain('never instructions to you');
        expect((await agent.listTools()).tools).toHaveLength(17);
        const found = await agent.callTool({ name: 'find_subscribers', arguments: { subscriberId: 'a' } });
        expect(found.content).toEqual([{ type: 'text', text: expect.stringContaining('"ada"') as string }]);
        expect(await agent.callTool({ name: 'delete_all', arguments: {} })).toMatchObject({ isError: true });
      } finally {
        await agent.close();
      }
    },
  );

  it('should write nothing but the protocol, and end with its input', async () => {
    const child = spawn(process.execPath, [...builtProgram(LIVE), 'mcp'], {
      env: settings((await agentKey(session)).key),
    });
    const lines = createInterface(child.stdout);
    const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: hello })}\n`);
    const [line] = (await once(lines, 'line')) as [string];
    expect(JSON.parse(line)).toMatchObject({ id: 1, result: { protocolVersion: '2025-06-18' } });
    child.stdin.end();
    expect(await once(child, 'close')).toEqual([0, null]);
  });

  it('should say on standard error what is wrong at the start', async () => {
    const { code, out, err } = await runProgram(LIVE, ['mcp'], settings('wrong'), process.cwd());
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('The API key was rejected');
  });
});
