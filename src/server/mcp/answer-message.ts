import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  isJSONRPCRequest,
  type JSONRPCMessage,
  ListToolsRequestSchema,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/sdk/types.js'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv-provider.js'
import type { FastifyBaseLogger } from 'fastify'
import { z } from 'zod'
import { Right } from '../../contract/calls.ts'
import { errors } from '../../contract/errors.ts'
import { mcpMessages as messages } from '../../contract/mcp/server-messages.ts'
import { NamedError } from '../platform/errors.ts'
import { type CallAs, CallRefused } from './call-as.ts'
import { render, type Shown } from './marked-text.ts'
import type { Tool } from './tool.ts'
import { tools } from './tools.ts'

/** The program that asks: the right of its token, and calls made with that token. `signal`: it has hung up. */
export type Caller = { right: Right; call: CallAs; signal: AbortSignal; log: FastifyBaseLogger }

// Unused, but the SDK would create one per server, which takes longer than the request.
const jsonSchemaValidator = new AjvJsonSchemaValidator()

const listed = tools.map(({ name, description, right, input }) => {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input' })
  return {
    name,
    description,
    inputSchema: { ...schema, type: 'object' as const },
    annotations: {
      readOnlyHint: right === 'read',
      destructiveHint: name === 'stop_task',
      openWorldHint: false,
    },
  }
})

/**
 * Answers one JSON-RPC request of the Model Context Protocol. A server lives for one message, because the endpoint keeps no sessions.
 * Errors of the protocol have our texts instead of the library's. Throws NamedError `invalid` for any other message.
 */
export async function answerMessage(
  request: object,
  caller: Caller,
  version: string,
): Promise<JSONRPCMessage> {
  if (!isJSONRPCRequest(request)) throw new NamedError('invalid', { message: messages.invalid_request })
  const server = new Server(
    { name: 'rowferry', version },
    { capabilities: { tools: {} }, instructions: messages.instructions, jsonSchemaValidator },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: listed.filter(({ name }) => visibleTo(caller.right).some((tool) => tool.name === name)),
  }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => callTool(params, caller))
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  const { promise, resolve } = Promise.withResolvers<JSONRPCMessage>()
  ours.onmessage = resolve
  await server.connect(theirs)
  try {
    await ours.send(request)
    return withOwnText(await promise)
  } finally {
    await server.close()
  }
}

const visibleTo = (right: Right): readonly Tool[] =>
  tools.filter((tool) => Right.options.indexOf(tool.right) <= Right.options.indexOf(right))

async function callTool(
  { name, arguments: given = {} }: z.output<typeof CallToolRequestSchema>['params'],
  { right, call, signal, log }: Caller,
): Promise<CallToolResult> {
  const tool = tools.find((one) => one.name === name)
  const names = visibleTo(right).map((one) => one.name)
  if (tool === undefined) return failed('unknown_tool', messages.unknown_tool(names))
  try {
    return { content: [{ type: 'text', text: render(await tool.run(given, call)) }] }
  } catch (error) {
    if (error instanceof NamedError) return failed(error.code, error.message)
    if (error instanceof CallRefused) return failed(error.body.code, error.message, error.body.request_id)
    // Aborted work of a caller that is gone is no error.
    if (!signal.aborted) log.error({ err: error }, 'A tool failed')
    return failed('unexpected', errors.unexpected.message)
  }
}

// Messages can quote what the caller or a sheet wrote, so they are marked like other texts.
function failed(code: string, message: string, request_id?: string): CallToolResult {
  const body: Shown = { error: code, message, ...(request_id !== undefined && { request_id }) }
  return { isError: true, content: [{ type: 'text', text: render(body) }] }
}

function withOwnText(message: JSONRPCMessage): JSONRPCMessage {
  if (!('error' in message)) return message
  const { code } = message.error
  const text = code === ErrorCode.MethodNotFound ? messages.unknown_method : messages.invalid_request
  return { ...message, error: { code, message: text } }
}

/** Throws NamedError `invalid` for a version of the protocol that is not supported. Clients from before 2025-06-18 send none. */
export function refuseUnknownVersion(version: unknown): void {
  if (version === undefined || SUPPORTED_PROTOCOL_VERSIONS.some((known) => known === version)) return
  const message = messages.version_unknown(SUPPORTED_PROTOCOL_VERSIONS)
  throw new NamedError('invalid', { message, field: 'MCP-Protocol-Version' })
}
