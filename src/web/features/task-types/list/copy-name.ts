import { limits } from '../../../../contract/limits.ts'
import { taskTypeMessages } from '../../../../contract/task-types/client-messages.ts'

/** Name of a copy: "{name} (Copy)", with a number if that is taken; the original name is truncated to fit. */
export function copyName(name: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const room = limits.name_characters - taskTypeMessages.copy_of('', number).length
    const copy = taskTypeMessages.copy_of(name.slice(0, room).trimEnd(), number)
    if (!taken.has(copy)) return copy
  }
}
