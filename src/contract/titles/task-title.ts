import * as z from 'zod/mini'
import { limits } from '../limits.ts'
import { syncTaskMessages } from '../sync-tasks/client-messages.ts'

/** Tabs of a sync task, from which its title can be derived; null for other tasks. A deleted task has none. */
export const TaskSheets = z.nullable(
  z.object({ source_sheet_name: z.string(), target_sheet_name: z.string() }),
)
type Sheets = NonNullable<z.infer<typeof TaskSheets>>

/** How a task is named on screens and in mails: `detail` follows the title, lighter, or in parentheses; it can be blank. */
export type TaskTitle = { title: string; detail: string }

/** Display name of a sync task: its target tab, else its source tab, else its id. */
const displayName = (id: number, { target_sheet_name, source_sheet_name }: Sheets) =>
  target_sheet_name || source_sheet_name || syncTaskMessages.sync_task(id)

/** Name that a sync task gets from its tabs when its form is saved without one. */
export const derivedName = (id: number, { source_sheet_name, target_sheet_name }: Sheets) =>
  (source_sheet_name || target_sheet_name || syncTaskMessages.sync_task(id)).slice(0, limits.name_characters)

/** A name with a number that distinguishes it from others: "Products (2)". Cut to the length of names. */
export function numberedName(name: string, number: number): string {
  const suffix = ` (${number})`
  return name.slice(0, limits.name_characters - suffix.length) + suffix
}

function isDerived(id: number, name: string, sheets: Sheets): boolean {
  const derived = derivedName(id, sheets)
  const number = / \((\d{1,9})\)$/.exec(name)?.[1]
  return name === derived || (number !== undefined && name === numberedName(derived, Number(number)))
}

/**
 * Title of a task. A sync task whose name a person has chosen has that name, followed by its display name; one whose name was derived
 * from its tabs has the display name alone. `id` is null for a run of a deleted task.
 */
export function taskTitle({
  id,
  name,
  sheets,
}: {
  id: number | null
  name: string
  sheets?: Sheets | null | undefined
}): TaskTitle {
  if (!sheets || id === null) return { title: name, detail: '' }
  const display = displayName(id, sheets)
  return name === display || isDerived(id, name, sheets)
    ? { title: display, detail: '' }
    : { title: name, detail: display }
}

/** A title in one text, from the parts that a query reads. */
export const titleOf = (id: number | null, name: string, parts: z.infer<typeof TaskSheets>): string =>
  titleText(taskTitle({ id, name, sheets: parts }))

/** A title in one text: "Catalogue nightly (Shop)". */
export const titleText = ({ title, detail }: TaskTitle) => (detail ? `${title} (${detail})` : title)
