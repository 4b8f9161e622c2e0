import { Allow, IsIn, IsOptional, IsString } from 'class-validator';
import { AsSent, IsFreeForm } from '#libs/http-kit';

/** A message of the Model Context Protocol, which is JSON-RPC. Lists of them are refused: no current client sends any. */
export class McpMessageDto {
  @IsIn(['2.0'], { message: 'jsonrpc must be 2.0' })
  jsonrpc: '2.0';

  @AsSent()
  @Allow()
  id?: unknown;

  @IsOptional()
  @IsString()
  method?: string;

  @IsOptional()
  @IsFreeForm()
  params?: Record<string, unknown>;

  @AsSent()
  @Allow()
  result?: unknown;

  @AsSent()
  @Allow()
  error?: unknown;
}
