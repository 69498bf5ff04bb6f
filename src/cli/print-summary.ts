import { cliMessages as messages } from '../contract/cli/client-messages.ts'
import type { Plan } from '../contract/plans/calls.ts'
import type { Context } from './command.ts'
import { visible } from './text.ts'

const marks = { danger: '!', change: '·', note: ' ' } as const

/** Heading of a plan that has not been written. */
export function titleOf({ task_name, target, restores }: Plan): string {
  const [name, title] = [visible(task_name), visible(target.title)]
  if (!restores) return messages.plan_of(name, title)
  const of = restores.side === 'former' ? messages.undo_of : messages.restore_of
  return of(name, restores.run_id, title)
}

/** Prints what a plan changes, dangers first. */
export function printSummary({ print }: Pick<Context, 'print'>, { summary }: Plan): void {
  for (const { level, text } of summary.lines) print(`${marks[level]} ${visible(text)}`)
}
