// What more workers bring: 40 copies of 5,000 x 20 into empty sheets with one worker, two and four, from Run All to the last
// Success. A local Google that answers at once, and a quota that does not bind: what is measured is this machine. The CPU
// time of a copy says how many of them a core carries, whatever else the machine does meanwhile.
//   node bench/workers.ts [tasks] [rows] [columns]
import { loadavg } from 'node:os'
import { addCopies, operators, runAll } from './copies.ts'
import { cpuTime } from './cpu-time.ts'
import { startApp } from './fleet-app.ts'

const argument = (place: number, otherwise: number) => Number(process.argv[2 + place] ?? otherwise)
const [tasks, rows, columns] = [argument(0, 40), argument(1, 5_000), argument(2, 20)]
// Each has ten hands, whatever their number: the same ten copies at a time for all.
const AT_A_TIME = 10
// Sixty reads a minute each: five have all that the project has.
const ACCOUNTS = 5

let alone: number | undefined
for (const workers of [1, 2, 4]) {
  const app = await startApp(workers)
  try {
    const send = await addCopies(app, {
      tasks,
      rows,
      columns,
      emails: operators(ACCOUNTS),
      at_a_time: AT_A_TIME,
    })
    const load = loadavg()[0] ?? 0
    const before = cpuTime()
    const { seconds, ended } = await runAll(send)
    const used = cpuTime()
    alone ??= seconds
    const cells = (tasks * rows * columns) / seconds
    console.log(
      `${workers} workers: ${ended} in ${seconds.toFixed(1)} s, ${Math.round(cells / 1000)} thousand cells/s; ` +
        `ratio ${(alone / seconds).toFixed(2)} of one; load before ${load.toFixed(1)}`,
    )
    const aCopy = (name: string) =>
      `${((((used.get(name) ?? 0) - (before.get(name) ?? 0)) / tasks) * 1000).toFixed(0)} ms`
    console.log(
      `  CPU time of a copy: workers ${aCopy('rowferry worker')}, database ${aCopy('postgres')}, ` +
        `api ${aCopy('rowferry api')}, local Google ${aCopy('rowferry sandbo')}`,
    )
  } finally {
    await app.stop()
  }
}
