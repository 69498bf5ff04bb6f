import { readdirSync, readFileSync } from 'node:fs'

// Linux counts in hundredths of a second.
const TICKS = 100

/** CPU seconds that this process's descendants have used so far, by the name that they go by. Linux only. */
export function cpuTime(): Map<string, number> {
  const all = readdirSync('/proc').flatMap((pid) => (/^\d+$/.test(pid) ? (statOf(pid) ?? []) : []))
  const ours = new Set([process.pid])
  // A child may have a smaller number than its parent.
  for (let size = 0; size < ours.size; ) {
    size = ours.size
    for (const { pid, parent } of all) if (ours.has(parent)) ours.add(pid)
  }
  const seconds = new Map<string, number>()
  for (const { pid, name, ticks } of all)
    if (ours.has(pid) && pid !== process.pid) seconds.set(name, (seconds.get(name) ?? 0) + ticks / TICKS)
  return seconds
}

/** CPU seconds of all of them. */
export const totalCpuTime = (): number => [...cpuTime().values()].reduce((sum, seconds) => sum + seconds, 0)

type Stat = { pid: number; name: string; parent: number; ticks: number }

/** Null when the process is gone. Ended children count to their parent. */
function statOf(pid: string): Stat | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'))
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ticks = [11, 12, 13, 14].reduce((sum, place) => sum + Number(fields[place]), 0)
    return { pid: Number(pid), name, parent: Number(fields[1]), ticks }
  } catch {
    return null
  }
}
