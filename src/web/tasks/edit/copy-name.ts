import { limits } from '../../../contract/limits.ts'

/** A free name for a copy of a task: the name and “(copy)”, numbered if that is taken, within the limit of names. */
export function copyName(name: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? ' (copy)' : ` (copy ${number})`
    const free = name.slice(0, limits.name_characters - suffix.length).trimEnd() + suffix
    if (!taken.has(free)) return free
  }
}
