import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { testDatabase } from '../../../test/fixtures/database.ts'
import type { Db } from './db.ts'
import { unitOfWork } from './unit-of-work.ts'

let db: Db
beforeAll(async () => {
  ;({ db } = await testDatabase())
  await sql`create table notes (text text primary key)`.execute(db)
})

const add = (to: Db, text: string) => sql`insert into notes values (${text})`.execute(to)
const notes = async (of: Db = db) =>
  (await sql<{ text: string }>`select text from notes order by 1`.execute(of)).rows.map(({ text }) => text)

it('undoes a plain statement, and what follows it', async () => {
  const unit = unitOfWork(db)
  await add(unit.db, 'plain')
  await unit.db.transaction().execute((trx) => add(trx, 'in a transaction'))
  expect(await notes(unit.db)).toEqual(['in a transaction', 'plain'])
  expect(await notes()).toEqual([])
  await unit.rollback()
  expect(await notes()).toEqual([])
})

it('commits plain statements that are sent at the same time together', async () => {
  const unit = unitOfWork(db)
  await Promise.all(['a', 'b', 'c'].map((text) => add(unit.db, text)))
  expect(await notes()).toEqual([])
  await unit.commit()
  expect(await notes()).toEqual(['a', 'b', 'c'])
  await sql`delete from notes`.execute(db)
})

it('goes on after a plain statement that failed first', async () => {
  await add(db, 'taken')
  const unit = unitOfWork(db)
  await expect(add(unit.db, 'taken')).rejects.toThrow('duplicate key')
  expect(await notes(unit.db)).toEqual(['taken'])
  await add(unit.db, 'free')
  await unit.commit()
  expect(await notes()).toEqual(['free', 'taken'])
})

it('holds no transaction while it only reads', async () => {
  const unit = unitOfWork(db)
  await notes(unit.db)
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`.execute(
    db,
  )
  expect(rows).toEqual([])
  await unit.commit()
})
