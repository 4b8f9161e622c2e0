import { Body, Controller, Post, Req, Res, StreamableFile, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Caller } from '#libs/common';
import { ForAgents, type HttpReply, type HttpRequest, NeedsScope, NotAudited, Tenant } from '#libs/http-kit';
import { McpMessageDto } from './mcp-message.dto.js';
import { McpService } from './mcp.service.js';

/** What agents call. The protocol describes itself to them: it is not in the OpenAPI document. */
@ApiExcludeController()
@Controller({ path: 'mcp', version: VERSION_NEUTRAL })
export class McpController {
  constructor(private readonly mcp: McpService) {}

  /** Takes a message of the Model Context Protocol, by streamable HTTP without sessions. */
  @Post()
  @ForAgents()
  @NeedsScope('read')
  @NotAudited('each call of a tool has an entry of its own')
  async callMcp(
    @Tenant() caller: Caller,
    @Body() message: McpMessageDto,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) reply: HttpReply,
  ): Promise<StreamableFile | undefined> {
    const { status, headers, body } = await this.mcp.answer(caller, message, request);
    reply.status(status);
    for (const [name, value] of headers) if (name !== 'content-type') reply.header(name, value);
    if (body === '') return undefined;
    return new StreamableFile(Buffer.from(body), { type: headers.get('content-type') ?? 'application/json' });
  }
}
