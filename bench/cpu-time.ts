import { readdirSync, readFileSync } from 'node:fs'

// Clock ticks per second on Linux.
const TICKS = 100

const PAGE_BYTES = 4096

/** CPU seconds of this process's descendants by process name. Linux only. */
export const cpuTime = (): Map<string, number> => sumOf(({ ticks }) => ticks / TICKS)

/** Resident bytes of this process's descendants by process name. Linux only. */
export const memory = (): Map<string, number> => sumOf(({ pages }) => pages * PAGE_BYTES)

function sumOf(figure: (stat: Stat) => number): Map<string, number> {
  const all = readdirSync('/proc').flatMap((pid) => (/^\d+$/.test(pid) ? (statOf(pid) ?? []) : []))
  const ours = new Set([process.pid])
  // Repeat until nothing is added, because a child may have a smaller pid than its parent.
  for (let size = 0; size < ours.size; ) {
    size = ours.size
    for (const { pid, parent } of all) if (ours.has(parent)) ours.add(pid)
  }
  const sums = new Map<string, number>()
  for (const stat of all)
    if (ours.has(stat.pid) && stat.pid !== process.pid)
      sums.set(stat.name, (sums.get(stat.name) ?? 0) + figure(stat))
  return sums
}

/** Total CPU seconds of this process's descendants. */
export const totalCpuTime = (): number => [...cpuTime().values()].reduce((sum, seconds) => sum + seconds, 0)

type Stat = { pid: number; name: string; parent: number; ticks: number; pages: number }

/** Null if the process has ended. The ticks include those of its ended children. */
function statOf(pid: string): Stat | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'))
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ticks = [11, 12, 13, 14].reduce((sum, place) => sum + Number(fields[place]), 0)
    return { pid: Number(pid), name, parent: Number(fields[1]), ticks, pages: Number(fields[21]) }
  } catch {
    return null
  }
}
