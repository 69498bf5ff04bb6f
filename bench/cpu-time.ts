import { readdirSync, readFileSync } from 'node:fs'

// Linux counts in hundredths of a second.
const TICKS = 100

const PAGE_BYTES = 4096

/** CPU seconds that this process's descendants have used so far, by the name that they go by. Linux only. */
export const cpuTime = (): Map<string, number> => sumOf(({ ticks }) => ticks / TICKS)

/** Resident bytes of this process's descendants, by the name that they go by. Linux only. */
export const memory = (): Map<string, number> => sumOf(({ pages }) => pages * PAGE_BYTES)

function sumOf(figure: (stat: Stat) => number): Map<string, number> {
  const all = readdirSync('/proc').flatMap((pid) => (/^\d+$/.test(pid) ? (statOf(pid) ?? []) : []))
  const ours = new Set([process.pid])
  // A child may have a smaller number than its parent.
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

/** CPU seconds of all of them. */
export const totalCpuTime = (): number => [...cpuTime().values()].reduce((sum, seconds) => sum + seconds, 0)

type Stat = { pid: number; name: string; parent: number; ticks: number; pages: number }

/** Null when the process is gone. Ended children count to their parent. */
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
