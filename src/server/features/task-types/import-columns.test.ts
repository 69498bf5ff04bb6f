import { beforeEach, describe, expect, test } from 'vitest'
import { form } from '../../../../test/fixtures/form.ts'
import { file, option, SOURCE, typeFiles } from '../../../../test/fixtures/type-files.ts'
import { csvJobServerMessages } from '../../../contract/csv-jobs/server-messages.ts'

const { added, imported, send, typeOf, typesOf, upload } = typeFiles()

describe('columns', () => {
  test('required columns alone create types with the defaults of their category', async () => {
    const job = await imported('source', file(SOURCE, 'Catalogue,Shop,All products'))
    expect(job).toMatchObject({ status: 'completed', summary: { created: 1, failed: 0 } })
    expect(await typeOf('source', 'Catalogue')).toMatchObject({
      group_name: 'Shop',
      description: 'All products',
      retry_delay_seconds: 300,
      chunk_size: 1000,
      max_retries: 3,
      is_active: true,
      cron_schedule: null,
    })
    await imported('sync', file('name', 'Prices'))
    expect(await typeOf('sync', 'Prices')).toMatchObject({ retry_delay_seconds: 60, chunk_size: 2000 })
  })

  test('cron_schedule, priority, is_active, max_concurrent, timeout_minutes, max_retries and retry_delay are understood', async () => {
    await imported(
      'source',
      file(
        `${SOURCE},cron_schedule,priority,is_active,max_concurrent,timeout_minutes,max_retries,retry_delay`,
        'Full,G,D,0 3 * * *,2,false,7,45,5,120',
      ),
    )
    expect(await typeOf('source', 'Full')).toMatchObject({
      cron_schedule: '0 3 * * *',
      priority: 2,
      is_active: false,
      allowed_concurrent_tasks: 7,
      timeout_minutes: 45,
      max_retries: 5,
      retry_delay_seconds: 120,
    })
  })

  test('a column under both of its names is an error that names them', async () => {
    const reply = await upload('source', file(`${SOURCE},max_concurrent,allowed_concurrent_tasks`, 'A,,,1,2'))
    expect([reply.statusCode, reply.json().message]).toEqual([
      400,
      csvJobServerMessages.csv_columns_same('max_concurrent', 'allowed_concurrent_tasks'),
    ])
  })

  test('a source type needs name, group_name and description', async () => {
    const reply = await upload('source', file('name,priority', 'A,1'))
    expect([reply.statusCode, reply.json().message]).toEqual([
      400,
      csvJobServerMessages.csv_columns_missing(['group_name', 'description']),
    ])
  })
})

describe('options', () => {
  beforeEach(async () => {
    await added('source', { name: 'Old', description: 'As it was', is_active: false })
  })
  const HEADER = `${SOURCE},cron_schedule,is_active`
  const rows = [
    'Old,,Changed,,false',
    'Bad cron,,,every day,false',
    'Good cron,,,0 2 * * *,false',
    'Active,,,,true',
  ]

  test('without overwriting, types that exist are skipped with a warning', async () => {
    const job = await imported('source', file(HEADER, ...rows), { overwrite_existing: false })
    expect(job).toMatchObject({
      summary: { created: 2, updated: 0, skipped: 1, failed: 1 },
      warnings: [{ row: 2, field: 'name', message: '“Old” exists already and was skipped' }],
    })
    expect(await typeOf('source', 'Old')).toMatchObject({ description: 'As it was' })
  })

  test('with overwriting, existing types get the values of the file and keep the others', async () => {
    const job = await imported('source', file(HEADER, ...rows), { overwrite_existing: true })
    expect(job.summary).toMatchObject({ created: 2, updated: 1, failed: 1 })
    expect(await typeOf('source', 'Old')).toMatchObject({ description: 'Changed', chunk_size: 1000 })
  })

  test('with validation, an invalid cron expression is an error of its row', async () => {
    const job = await imported('source', file(HEADER, ...rows), { validate_cron: true })
    expect(job.errors).toEqual([
      { row: 3, field: 'cron_schedule', message: expect.stringContaining('five fields') },
    ])
    expect(await typeOf('source', 'Bad cron')).toBeUndefined()
  })

  test('without validation, such a type is imported unscheduled with a warning', async () => {
    const job = await imported('source', file(HEADER, ...rows), { validate_cron: false })
    expect(job).toMatchObject({
      errors: [],
      warnings: [{ row: 3, field: 'cron_schedule', message: expect.stringContaining('without a schedule') }],
    })
    expect(await typeOf('source', 'Bad cron')).toMatchObject({ cron_schedule: null })
    expect(await typeOf('source', 'Good cron')).toMatchObject({ cron_schedule: '0 2 * * *' })
  })

  test.each([true, false])(
    'activation %j: on, all types of the file are active; off, as the file says',
    async (on) => {
      await imported('source', file(HEADER, ...rows), { activate_imported: on })
      const active = (await typesOf('source')).map(({ name, is_active }) => [name, is_active])
      expect(Object.fromEntries(active)).toEqual({ Old: on, 'Good cron': on, Active: true })
    },
  )

  test('an invalid option is refused, and so is one that sync types do not have', async () => {
    const payload = (value: string) =>
      Buffer.concat([option('validate_cron', value), form({ content: file(SOURCE, 'A,,') })])
    expect((await send('source', payload('yes'))).statusCode).toBe(400)
    const reply = await send('sync', payload('true'))
    expect([reply.statusCode, reply.json().message]).toEqual([400, 'Unknown field: validate_cron'])
  })
})
