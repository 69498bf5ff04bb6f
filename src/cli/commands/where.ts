import { cliMessages as messages } from '../../contract/cli/client-messages.ts'
import { type Lineage, type LineageStep, lineage, type WrittenCell } from '../../contract/lineage/calls.ts'
import { lineageMessages } from '../../contract/lineage/client-messages.ts'
import { type Command, EXIT } from '../command.ts'
import { localTime, table, visible } from '../text.ts'

/** Says where the cell of a link comes from; `--json` prints the whole reply. */
export const where: Command = {
  summary: 'Say where a cell of a spreadsheet comes from, or where it ends up',
  args: ['LINK'],
  flags: { check: { type: 'boolean', summary: 'Also read the cell, and say whether it was edited since' } },
  run: async ({ client, args, flags, print, printJson, zone }) => {
    const query = { link: args[0] ?? '', ...(flags.check === true && { check: 'true' as const }) }
    const found = await client.call(lineage.find, { query })
    for (const line of linesOf(found, zone)) print(line)
    printJson(found)
    return EXIT.ok
  },
}

function* linesOf(found: Lineage, zone: string): Generator<string> {
  const { title, notes, written, steps, uses } = found
  yield visible(title)
  for (const note of notes) yield visible(note)
  if (written) {
    const { text, state, value_text, since, edited } = written
    yield visible(text)
    if (state === 'value' || state === 'header') yield messages.cell_holds(shown(value_text))
    if (since) yield sinceText(since, zone)
    if (edited) yield visible(edited.text)
  }
  for (const step of steps) yield* linesOfStep(step, zone)
  if (written === null || uses.length > 0) {
    yield ''
    yield `${lineageMessages.uses}:`
    if (uses.length === 0) yield lineageMessages.no_uses
    for (const { text, link, task } of uses)
      yield `  ${visible(link === null ? text : `${text} (${task.name})`)}`
    if (found.has_more_uses) yield lineageMessages.more_uses
  }
}

function* linesOfStep({ text, place, run, record, notes }: LineageStep, zone: string): Generator<string> {
  yield ''
  if (place) yield visible(place.text)
  yield `${visible(text)}${run ? ` ${messages.run_at(run.id, localTime(run.at, zone))}` : ''}`
  for (const note of notes) yield visible(note)
  if (!record) return
  yield visible(record.rule)
  yield* table(
    ['SOURCE', 'USE', 'VALUE', 'WHERE'],
    record.sources.map(({ name, state, value_text, place: at }) => [
      name,
      lineageMessages.states[state],
      value_text,
      at?.text ?? '',
    ]),
  )
}

type Since = NonNullable<WrittenCell['since']>

function sinceText({ run_id, at, is_exact, former_text }: Since, zone: string): string {
  const since = messages.cell_since(run_id, localTime(at, zone), is_exact)
  if (!is_exact) return since
  const former =
    former_text === '' ? lineageMessages.former_blank : lineageMessages.former(visible(former_text))
  return `${since}. ${former}`
}

const shown = (value_text: string) => visible(value_text) || lineageMessages.blank
