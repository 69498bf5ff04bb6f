// Compiled records as the page of the compiler asks for them: 1,000,000 records of 20 fields. Aims: by flags, and by searches with
// up to 10,000 hits, first and last page, p95 100 ms; searches that find more from a stored list after their first page.
//   node bench/compiled-data.ts [records]
import { loadavg } from 'node:os'
import { z } from 'zod'
import { compilerRecords } from '../src/contract/compiler-records.ts'
import { createDb } from '../src/server/platform/db.ts'
import { type Send, signIn } from '../test/person.ts'
import { aCompiledConfig } from './compiled-config.ts'
import { totalCpuTime } from './cpu-time.ts'
import { startApp } from './fleet-app.ts'

const RECORDS = Number(process.argv[2] ?? 1_000_000)
const TIMES = 40
const PAGE = 20
const LIMIT_MS = 100

const app = await startApp(0)
const db = createDb({ url: app.database_url })
try {
  const { send } = await signIn(app.root, 'ada@example.com')
  console.log(`${RECORDS} records; load of the machine before: ${loadavg()[0]?.toFixed(1)}`)
  const { id, sources } = await aCompiledConfig(db, RECORDS)
  const ask = (query: string) => page(send, id, query)

  for (const [name, query] of [
    ['no filter', ''],
    ['has_errors, 1 %', '&has_errors=true'],
    ['has_blanks, 50 %', '&has_blanks=true'],
    ['clean', '&has_blanks=false&has_errors=false&is_duplicate=false'],
  ] as const)
    await firstAndLast(name, query)
  for (const digits of ['99999', '9999', '999'] as const)
    await firstAndLast(`search “${digits}”`, `&sku_search=${digits}`)
  await once('search “sku” for the first time', () => ask('&sku_search=sku'))
  await firstAndLast('… from its stored list', '&sku_search=sku')
  for (const [name, query] of [
    ['not in the master', '&not_in_master=true'],
    ['a blank field', '&blank_field=Field 3'],
    ['filled by a source', `&filled_by=${sources[1]}`],
    ['added', '&change=added'],
  ] as const) {
    await once(`${name} for the first time`, () => ask(query))
    await firstAndLast(name, query)
  }
  const other = `/api/compiler/%?compiler_config_id=${id}`
  const quality = () => send('GET', other.replace('%', 'quality'), compilerRecords.quality.reply)
  await once('quality for the first time', quality)
  await once('quality', quality)
  await once('20 SKUs that the master does not have, with its nearest', () =>
    send('GET', other.replace('%', 'unmatched'), compilerRecords.unmatched.reply),
  )
  await once('one record in detail', () =>
    send('GET', `/api/compiler/data/SKU-77?compiler_config_id=${id}`, compilerRecords.record.reply),
  )
  await once('remove a record', () =>
    send('DELETE', `/api/compiler/data/SKU-78?compiler_config_id=${id}`, z.null()),
  )
  await firstAndLast('no filter, one removed', '')

  async function firstAndLast(name: string, query: string): Promise<void> {
    const { total_count } = await ask(query)
    await report(`${name} (${total_count}), first page`, () => ask(query))
    const offset = Math.max(0, total_count - PAGE)
    await report(`${name}, last page`, () => ask(`${query}&offset=${offset}`))
  }
} finally {
  await db.destroy()
  await app.stop()
}

async function page(send: Send, id: number, query: string) {
  const path = `/api/compiler/data?compiler_config_id=${id}&limit=${PAGE}${query}`
  return send('GET', encodeURI(path), compilerRecords.data.reply)
}

async function report(name: string, act: () => Promise<unknown>): Promise<void> {
  const times: number[] = []
  const used = totalCpuTime()
  for (let n = 0; n < TIMES; n += 1) {
    const began = performance.now()
    await act()
    times.push(performance.now() - began)
  }
  times.sort((a, b) => a - b)
  const p95 = times[Math.floor(TIMES * 0.95)] ?? 0
  const median = times[Math.floor(TIMES / 2)] ?? 0
  const cpu = ((totalCpuTime() - used) * 1000) / TIMES
  console.log(
    `${name}: p95 of ${TIMES} ${p95.toFixed(0)} ms (limit ${LIMIT_MS})${p95 > LIMIT_MS ? ' MISSED' : ''}, ` +
      `median ${median.toFixed(0)} ms, processor ${cpu.toFixed(0)} ms a call`,
  )
}

async function once(name: string, act: () => Promise<unknown>): Promise<void> {
  const began = performance.now()
  await act()
  console.log(`${name}: ${(performance.now() - began).toFixed(0)} ms`)
}
