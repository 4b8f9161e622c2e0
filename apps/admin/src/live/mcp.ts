import { once } from 'node:events';
import type { Result } from '@modelcontextprotocol/server';
import { commandLine } from '#libs/config';
import { HeraldClient } from '../files/herald-client.js';
import { CommandError } from '../run-command.js';
import type { LiveCommand } from './live-program.js';
import { optionsIn } from './options.js';
import { PLACE_USAGE, placeIn } from './place.js';

export const MCP_USAGE = `Usage: ${commandLine('mcp')} [--help]

Connects an agent that speaks the Model Context Protocol over standard input and output with the running Herald, whose
address /mcp has the tools. Standard output has nothing but the protocol.

${PLACE_USAGE}
The key has to be of the kind agent, with the scope read; with trigger the agent may send, with write draft workflows.
Exit codes: 0 the agent has ended, 1 refused or not reachable at the start, 2 wrong command line.`;

/** The revision that this program speaks with Herald, whatever it speaks with the agent. */
const REVISION = '2025-06-18';

interface Hello {
  readonly serverInfo: { readonly name: string; readonly version: string };
  readonly instructions?: string;
}
interface Answer {
  readonly result?: Result;
  readonly error?: { readonly code: number; readonly message: string };
}

export const mcp: LiveCommand = async (args, env, { signal }) => {
  const { positionals } = optionsIn(args, {});
  if (positionals.length > 0) throw new CommandError(MCP_USAGE, 2);
  // The other commands go without it.
  const { McpServer, ProtocolError } = await import('@modelcontextprotocol/server');
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
  const client = new HeraldClient(placeIn(env), 0);
  /** A Herald that restarts is found again by the next call. */
  const forward = async <T>(method: string, params: object = {}): Promise<T> => {
    const { body } = await client.call('POST', '/mcp', { jsonrpc: '2.0', id: 1, method, params });
    const { result, error } = body as Answer;
    if (error !== undefined) throw new ProtocolError(error.code, error.message);
    return result as T;
  };
  const hello = { protocolVersion: REVISION, capabilities: {}, clientInfo: { name: 'herald mcp', version: '1' } };
  const { serverInfo, instructions = '' } = await forward<Hello>('initialize', hello);
  const handle = serveStdio(() => {
    const { server } = new McpServer(serverInfo, { capabilities: { tools: { listChanged: false } }, instructions });
    server.setRequestHandler('tools/list', () => forward('tools/list'));
    server.setRequestHandler('tools/call', ({ params: { name, arguments: given } }) =>
      forward('tools/call', { name, arguments: given ?? {} }),
    );
    return server;
  });
  await Promise.race([once(process.stdin, 'close'), once(signal, 'abort')]);
  await handle.close();
  return 0;
};
