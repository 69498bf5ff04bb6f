// Alternately requests pages of copied data and of a source task's data ("View Data"), 1,000,000 rows of 20 columns each. Aims: p95 of
// the first page 50 ms, of a deep page 150 ms, of a page sorted by a number or text 600 ms if its sort order is stored, otherwise 3 s;
// and the memory of the api process does not grow.
//   node bench/data-copy.ts [rows]
import { loadavg } from 'node:os'
import { sourceTasks } from '../src/contract/source-tasks/calls.ts'
import { syncTasks } from '../src/contract/sync-tasks/calls.ts'
import { createDb } from '../src/server/platform/db.ts'
import { aSourceTask, aSyncTask } from '../test/fixtures/factories.ts'
import { cpuTime } from './cpu-time.ts'
import { report } from './figures.ts'
import { startApp } from './fleet-app.ts'
import { fillTask } from './large-table.ts'

const ROWS = Number(process.argv[2] ?? 1_000_000)
const TIMES = 100
const PAGE = 500

type Query = Record<string, string | number>

const app = await startApp(0)
const db = createDb({ url: app.database_url })
try {
  const send = await app.signIn('ada@example.com')
  console.log(`load of the machine before: ${loadavg()[0]?.toFixed(1)}`)
  const ids = { copied: (await aSyncTask(db)).id, viewed: (await aSourceTask(db)).id }
  for (const id of Object.values(ids)) await fillTask(db, id, ROWS)
  const asked = (query: Query) =>
    new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  const full = ({ data }: { data: unknown[] }) => {
    if (data.length !== PAGE) throw new Error(`A page of ${data.length} rows`)
  }
  const copied = async (query: Query) =>
    full(
      await send('GET', `/api/sync_tasks/${ids.copied}/data_copy?${asked(query)}`, syncTasks.dataCopy.reply),
    )
  const viewed = async (query: Query) =>
    full(
      await send(
        'GET',
        `/api/source_tasks/${ids.viewed}/data_copy?${asked(query)}`,
        sourceTasks.dataCopy.reply,
      ),
    )
  // Page numbers, as in the requests of the source task's dialog.
  const numbered = async ({ offset = 0 }: Query) => {
    const page = Math.floor(Number(offset) / PAGE) + 1
    const query = asked({ source_task_id: ids.viewed, page, page_size: PAGE })
    full(await send('GET', `/api/source_task_data?${query}`, sourceTasks.data.reply))
  }
  const tables = { 'copied data': copied, 'View Data': viewed }
  const deep = Math.floor((ROWS * 0.9) / PAGE) * PAGE

  await compare('first page', 50, { ...tables, 'View Data by its number': numbered }, () => ({}))
  await compare(`page at row ${deep}`, 150, { ...tables, 'View Data by its number': numbered }, (n) => ({
    offset: (deep + n * PAGE) % ROWS,
  }))
  const before = await app.memory()
  for (const [name, column] of [
    ['number', 'Column 2'],
    ['text', 'Column 4'],
    ['number with blanks', 'Column 3'],
  ] as const) {
    const query = { sort: column }
    for (const [table, page] of Object.entries(tables)) {
      const began = performance.now()
      const used = postgresSeconds()
      // Two concurrent requests.
      await Promise.all([page(query), page(query)])
      print(
        `${table}, order by ${name}, built for two who ask at once`,
        `${(postgresSeconds() - used).toFixed(1)} s of processor time, on several at once`,
        { ms: performance.now() - began, limit: 3000 },
      )
    }
    await compare(`page sorted by ${name}`, 600, tables, (n) => ({ ...query, offset: n * PAGE }))
    await compare(`page at row ${deep} sorted by ${name}, descending`, 600, tables, (n) => ({
      ...query,
      order: 'desc',
      offset: (deep + n * PAGE) % ROWS,
    }))
  }
  // A tenth of all pages sequentially, like a user who keeps scrolling.
  for (const page of Object.values(tables))
    for (let offset = 0; offset < ROWS; offset += 10 * PAGE) await page({ offset })
  const after = await app.memory()
  console.log(`memory of the api process: ${megabytes(before)} before, ${megabytes(after)} after`)
} finally {
  await db.destroy()
  await app.stop()
}

/** Requests the same pages of each table, alternately. */
async function compare(
  name: string,
  limit: number,
  tables: Record<string, (query: Query) => Promise<void>>,
  query: (n: number) => Query,
): Promise<void> {
  const times = new Map(Object.keys(tables).map((table): [string, number[]] => [table, []]))
  for (let n = 0; n < TIMES; n += 1)
    for (const [table, page] of Object.entries(tables)) {
      const began = performance.now()
      await page(query(n))
      times.get(table)?.push(performance.now() - began)
    }
  for (const [table, list] of times) {
    list.sort((a, b) => a - b)
    const ms = list[Math.floor(TIMES * 0.95)] ?? 0
    print(`${table}, ${name}, p95 of ${TIMES}`, `median ${list[TIMES / 2]?.toFixed(0)} ms`, { ms, limit })
  }
}

function print(name: string, more: string, { ms, limit }: { ms: number; limit: number }): void {
  console.log(`${name}: ${more}`)
  report({ what: `${name}, ms`, value: ms, limit })
}

function postgresSeconds(): number {
  return cpuTime().get('postgres') ?? Number.NaN
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`
}
