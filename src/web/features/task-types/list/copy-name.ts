import { limits } from '../../../../contract/limits.ts'
import { taskTypeMessages } from '../../../../contract/task-types/client-messages.ts'

/** What a copy of a type is called: "{name} (Copy)", or with the first number that is free; the name is cut so that it fits. */
export function copyName(name: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const room = limits.name_characters - taskTypeMessages.copy_of('', number).length
    const copy = taskTypeMessages.copy_of(name.slice(0, room).trimEnd(), number)
    if (!taken.has(copy)) return copy
  }
}
