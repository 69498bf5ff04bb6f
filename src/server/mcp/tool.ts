import { z } from 'zod'
import type { Right } from '../../contract/calls.ts'
import { mcpMessages as messages } from '../../contract/mcp/server-messages.ts'
import { TaskCategory } from '../../contract/tasks/schemas.ts'
import { parseInput } from '../platform/http/parse.ts'
import type { CallAs } from './call-as.ts'
import type { Shown } from './marked-text.ts'

/** A tool of the MCP server. Tokens below `right` do not see it; the calls that it makes check the right again. */
export type Tool = {
  name: string
  description: string
  right: Right
  input: z.ZodObject
  /** Throws NamedError `invalid` for other arguments, or CallRefused. */
  run: (input: unknown, call: CallAs) => Promise<Shown>
}

type Definition<I extends z.ZodObject> = {
  name: string
  description: string
  /** Default: read. */
  right?: Right
  input: I
  run: (input: z.output<I>, call: CallAs) => Promise<Shown>
}

/** A tool whose arguments are parsed before it runs. */
export const defineTool = <I extends z.ZodObject>({
  right = 'read',
  run,
  input,
  ...rest
}: Definition<I>): Tool => ({
  ...rest,
  right,
  input,
  run: (given, call) => run(parseInput(input, given), call),
})

const MAX_ID = 2_147_483_647

export const idArgument = (description: string) => z.int().min(1).max(MAX_ID).describe(description)

export const limitArgument = (by_default: number, max: number) =>
  z.int().min(1).max(max).default(by_default).describe(messages.limit)

export const offsetArgument = () => z.int().min(0).max(10_000_000).default(0).describe(messages.offset)

export const categoryArgument = () => z.enum(TaskCategory.options).describe(messages.category)

/** Names one task. */
export const taskArguments = () => ({ category: categoryArgument(), id: idArgument(messages.id) })
