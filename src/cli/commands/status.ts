import { cliMessages as messages } from '../../contract/cli/client-messages.ts'
import { formatted } from '../../contract/counted.ts'
import { pipeline } from '../../contract/pipeline/calls.ts'
import { attentionReason, pipelineMessages } from '../../contract/pipeline/client-messages.ts'
import { type Command, EXIT } from '../command.ts'
import { localTime, table, visible } from '../text.ts'

/** Pipeline status, as the home page shows it. */
export const status: Command = {
  summary: 'Show what runs, what needs attention and what comes next',
  args: [],
  run: async ({ client, zone, print, printJson }) => {
    const state = await client.call(pipeline.read, {})
    printJson(state)
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
      print(line)
    const section = (title: string, lines: string[]) => {
      if (lines.length > 0) print(`\n${title}`)
      for (const line of lines) print(`  ${visible(line)}`)
    }
    section(
      'Running and waiting',
      state.live.map(({ task, state }) => `${task.id}  ${task.name}: ${state}`),
    )
    section(
      'Needs attention',
      state.attention.flatMap(({ kind, reason, count, tasks }) => [
        `${formatted(count)} × ${kind}: ${attentionReason(kind, reason)}`,
        ...tasks.map(({ task, at, claim }) =>
          [`  ${task.id}  ${task.name}, ${localTime(at, zone)}`, claim && messages.claimed(claim.by.email)]
            .filter(Boolean)
            .join(', '),
        ),
        ...(count > tasks.length ? [`  ${pipelineMessages.more(count - tasks.length)}`] : []),
      ]),
    )
    section(
      'Next',
      state.next.map(({ at, name, tasks }) => `${localTime(at, zone)}  ${name} (${tasks})`),
    )
    if (state.attention.length === 0) print(`\n${messages.nothing_to_see}`)
    return EXIT.ok
  },
}
