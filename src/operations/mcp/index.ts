export { Manual } from './manual.js';
export { McpModule } from './mcp.module.js';
