import { cliMessages as messages } from '../../contract/cli/client-messages.ts'
import { Refused } from '../client.ts'
import { type Command, type Context, EXIT } from '../command.ts'

// Codes of JSON-RPC: the message is not JSON; and the first of those that a server may choose itself.
const NOT_JSON = -32_700
const SERVER_REFUSED = -32_000

/** Connects an agent on standard input and output with the MCP server of Rowferry: one JSON-RPC message per line, both ways. */
export const mcp: Command = {
  summary: 'Serve the Model Context Protocol on standard input and output',
  args: [],
  run: async (context) => {
    const forwarded: Promise<void>[] = []
    for await (const line of context.lines()) {
      const forwarding = forward(context, line)
      // Awaited below; until then a rejection must not end the process.
      forwarding.catch(() => undefined)
      forwarded.push(forwarding)
    }
    await Promise.all(forwarded)
    return EXIT.ok
  },
}

async function forward({ client, out, err, signal }: Context, line: string): Promise<void> {
  if (line.trim() === '') return
  const reply = (value: object) => out(`${JSON.stringify({ jsonrpc: '2.0', ...value })}\n`)
  const message = parsed(line)
  if (message === undefined)
    return reply({ id: null, error: { code: NOT_JSON, message: messages.message_not_json } })
  const id = idOf(message)
  try {
    const answer = await client.message(message)
    if (answer !== null) out(`${JSON.stringify(answer)}\n`)
  } catch (error) {
    if (signal.aborted) return
    if (!(error instanceof Refused)) throw error
    const { message, status, code } = error
    // A notification has no id and takes no answer.
    if (id === undefined) err(`${message}\n`)
    else reply({ id, error: { code: SERVER_REFUSED, message, data: { status, code } } })
  }
}

const idOf = (message: unknown): unknown =>
  typeof message === 'object' && message !== null && 'id' in message ? message.id : undefined

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
