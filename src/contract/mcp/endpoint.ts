/** Path of the MCP server: Streamable HTTP, without sessions, for API tokens only. */
export const MCP_PATH = '/mcp'
