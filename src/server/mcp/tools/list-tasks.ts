import { z } from 'zod'
import { mcpMessages as messages } from '../../../contract/mcp/server-messages.ts'
import { type ListedTask, STATES, tasksOf } from '../list-tasks.ts'
import { moment, own } from '../marked-text.ts'
import { categoryArgument, defineTool, limitArgument, offsetArgument } from '../tool.ts'

const input = z.strictObject({
  category: categoryArgument().optional(),
  search: z.string().max(100).describe(messages.search).optional(),
  state: z.enum(STATES).describe(messages.state).optional(),
  active: z.boolean().describe(messages.active).optional(),
  limit: limitArgument(20, 100),
  offset: offsetArgument(),
})

export const listTasks = defineTool({
  name: 'list_tasks',
  description: messages.list_tasks,
  input,
  run: async (filters, call) => {
    const { limit, offset } = filters
    const found: ListedTask[] = []
    // One more than the page, to detect whether there is a next page.
    for await (const task of tasksOf(call, filters)) {
      found.push(task)
      if (found.length > offset + limit) break
    }
    const page = found.slice(offset, offset + limit)
    return {
      tasks: page.map(
        ({ category, id, name, type, state, is_active, last_success, owner, tags, source, target }) => ({
          category: own(category),
          id,
          name,
          type,
          state: own(state),
          is_active,
          last_success: moment(last_success),
          owner,
          tags,
          source: source && { ...source, kind: own(source.kind) },
          target: target && { ...target, kind: own(target.kind) },
        }),
      ),
      next_offset: found.length > offset + limit ? offset + limit : null,
    }
  },
})
