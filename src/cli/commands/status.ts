import { cliMessages as messages } from '../../contract/cli/client-messages.ts'
import { pipeline } from '../../contract/pipeline/calls.ts'
import { attentionReason } from '../../contract/pipeline/client-messages.ts'
import { type Command, EXIT } from '../command.ts'
import { table, visible } from '../text.ts'

/** How everything stands, as the home page shows it. */
export const status: Command = {
  summary: 'Show what runs, what needs attention and what comes next',
  args: [],
  run: async ({ client, say, tell }) => {
    const state = await client.call(pipeline.read, {})
    tell(state)
    const stages = Object.entries(state.stages).map(([category, stage]) => [
      category,
      ...[
        stage.active,
        stage.running - stage.waiting_for_quota,
        stage.queued + stage.waiting_for_quota,
        stage.failed,
        stage.warnings,
        stage.stopped,
      ].map(String),
    ])
    for (const line of table(
      ['CATEGORY', 'ACTIVE', 'RUNNING', 'WAITING', 'FAILED', 'WARNINGS', 'STOPPED'],
      stages,
    ))
      say(line)
    const section = (title: string, lines: string[]) => {
      if (lines.length > 0) say(`\n${title}`)
      for (const line of lines) say(`  ${visible(line)}`)
    }
    section(
      'Running and waiting',
      state.live.map(({ task, state }) => `${task.id}  ${task.name}: ${state}`),
    )
    section(
      'Needs attention',
      state.attention.map(
        ({ task, kind, reason, at }) =>
          `${task.id}  ${task.name}: ${kind}, ${at}. ${attentionReason(kind, reason)}`,
      ),
    )
    section(
      'Next',
      state.next.map(({ at, name, tasks }) => `${at}  ${name} (${tasks})`),
    )
    if (state.attention.length === 0) say(`\n${messages.nothing_to_see}`)
    return EXIT.ok
  },
}
