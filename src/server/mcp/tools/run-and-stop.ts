import { z } from 'zod'
import { compiler } from '../../../contract/compiler/calls.ts'
import { compilerRuns } from '../../../contract/compiler/runs.ts'
import { mcpMessages as messages } from '../../../contract/mcp/server-messages.ts'
import { sourceTasks } from '../../../contract/source-tasks/calls.ts'
import { sourceTriggers } from '../../../contract/source-tasks/triggers.ts'
import { syncTasks } from '../../../contract/sync-tasks/calls.ts'
import { type CallAs, CallRefused } from '../call-as.ts'
import { own, type Shown } from '../marked-text.ts'
import { runsOfTask } from '../runs-of-task.ts'
import { defineTool, taskArguments } from '../tool.ts'

const input = z.strictObject(taskArguments())
type TaskRef = z.infer<typeof input>

const TRIGGER = 'MCP'

export const runTask = defineTool({
  name: 'run_task',
  description: messages.run_task,
  right: 'run',
  input,
  run: async (task, call) => {
    const started = await start(task, call)
    const { runs } = await runsOfTask(call, task, 1)
    const [run] = runs
    return { ...started, ...(run !== undefined && { run: run.id, state: own(run.state) }) }
  },
})

async function start({ category, id }: TaskRef, call: CallAs): Promise<Record<string, Shown>> {
  if (category === 'compiler') return startCompile(call, id)
  const { status, message } =
    category === 'sync'
      ? await call(syncTasks.execute, { params: { id } })
      : await call(sourceTriggers.triggerTask, { params: { id }, body: { trigger: TRIGGER } })
  return { status: own(status), message }
}

// The call of a compile waits for its end, and fails with it.
async function startCompile(call: CallAs, config_id: number): Promise<Record<string, Shown>> {
  try {
    await call(compiler.compile, { body: { config_id } })
    return { status: own('success') }
  } catch (error) {
    const ended =
      error instanceof CallRefused && ['compile_failed', 'compile_stopped'].includes(error.body.code)
    if (!ended) throw error
    return { status: own('warning'), message: error.message }
  }
}

export const stopTask = defineTool({
  name: 'stop_task',
  description: messages.stop_task,
  right: 'run',
  input,
  run: async ({ category, id }, call) => {
    const stops = { sync: syncTasks.stop, source: sourceTasks.stop, compiler: compilerRuns.stop }
    const { status, message } = await call(stops[category], { params: { id } })
    return { status: own(status), message }
  },
})
