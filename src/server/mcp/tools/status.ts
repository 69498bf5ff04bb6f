import { z } from 'zod'
import { readyBy } from '../../../contract/forecast/calls.ts'
import { readyStateOf } from '../../../contract/forecast/describe.ts'
import { mcpMessages as messages } from '../../../contract/mcp/server-messages.ts'
import { pipeline } from '../../../contract/pipeline/calls.ts'
import { attentionReason } from '../../../contract/pipeline/client-messages.ts'
import { moment, own } from '../marked-text.ts'
import { shownTask, shownWait } from '../shown.ts'
import { defineTool, limitArgument } from '../tool.ts'

export const status = defineTool({
  name: 'status',
  description: messages.status,
  input: z.strictObject({ limit: limitArgument(20, 100) }),
  run: async ({ limit }, call) => {
    const [state, deadlines] = await Promise.all([call(pipeline.read, {}), call(readyBy.list, { query: {} })])
    return {
      tasks: state.stages,
      needs_attention: {
        tasks: state.attention_tasks,
        by_kind: state.attention_counts,
        groups: state.attention.slice(0, limit).map(({ kind, reason, count }) => ({
          kind: own(kind),
          reason: attentionReason(kind, reason),
          tasks: count,
        })),
        first: state.attention
          .flatMap(({ tasks }) => tasks)
          .slice(0, limit)
          .map(({ kind, task, reason, at, claim }) => ({
            kind: own(kind),
            since: moment(at),
            task: shownTask(task),
            reason: attentionReason(kind, reason),
            claimed_by: claim?.by.email ?? null,
          })),
      },
      live: state.live.slice(0, limit).map(({ task, state, started_at, waits_for, place }) => ({
        state: own(state),
        started_at: moment(started_at),
        task: shownTask(task),
        waits_for: shownWait(waits_for),
        place_in_line: place,
      })),
      next: state.next.slice(0, limit).map(({ at, category, name, tasks }) => ({
        at: moment(at),
        category: own(category),
        name,
        tasks,
      })),
      ready_by: deadlines.slice(0, limit).map((entry) => ({
        kind: own(entry.kind),
        id: entry.id,
        name: entry.name,
        deadline: moment(entry.deadline),
        forecast: own(readyStateOf(entry)),
        expected_at: moment(entry.ready_at),
        reason: entry.reason,
        suggestion: entry.suggestion,
      })),
      source_schedule_on: state.source_schedule_on,
      google_requests_in_the_last_minute: state.quota.map(({ kind, used, limit }) => ({
        kind: own(kind),
        used,
        limit,
      })),
      ended_today: {
        success: state.today.success,
        warning: state.today.warning,
        failed: state.today.failed,
        stopped: state.today.stopped,
      },
    }
  },
})
