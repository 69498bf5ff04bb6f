import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/app.ts'
import { form, formType, type Part } from '../../../../test/form.ts'
import { until } from '../../../../test/processes.ts'
import { type CsvJob, csvJobs } from '../../../contract/csv-jobs.ts'
import { limits } from '../../../contract/limits.ts'
import { messages } from '../../../contract/messages.ts'
import { ImportStarted } from '../../../contract/task-type-files.ts'

let site: TestApp
let ada: SignedIn

beforeAll(async () => {
  site = await testApp({ now: () => new Date('2026-11-22T03:04:05Z') })
  ada = await site.signIn()
})

beforeEach(async () => {
  await site.db.deleteFrom('task_type_dependencies').execute()
  await site.db.deleteFrom('task_types').execute()
})

type Category = 'sync' | 'source'
const pathOf = (category: Category) => `/api/${category}_task_types`

const option = (name: string, value: string) =>
  Buffer.from(`--border\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)

function send(category: Category, payload: Buffer, headers: Record<string, string> = {}) {
  return site.app.inject({
    method: 'POST',
    url: `${pathOf(category)}/import_csv`,
    headers: { ...ada.headers, 'content-type': formType, ...headers },
    payload,
  })
}

const upload = (category: Category, content: string | Buffer, part: Omit<Part, 'content'> = {}) =>
  send(category, form({ content, ...part }))

async function imported(
  category: Category,
  content: string,
  options: Record<string, boolean> = {},
): Promise<CsvJob> {
  const fields = Object.entries(options).map(([name, on]) => option(name, String(on)))
  const reply = await send(category, Buffer.concat([...fields, form({ content })]))
  expect(reply.statusCode, reply.body).toBe(202)
  const { job_id, message } = ImportStarted.parse(reply.json())
  expect(message).toBe(`Import started successfully! Job ID: ${job_id}. Check job status below.`)
  let job: CsvJob | undefined
  await until('the job has ended', async () => {
    job = csvJobs.get.reply.parse((await ada.request('GET', `/api/csv_jobs/${job_id}`)).json())
    return job.status === 'completed' || job.status === 'failed'
  })
  if (!job) throw new Error('There is no job')
  return job
}

const exported = async (category: Category) => {
  const reply = await ada.request('GET', `${pathOf(category)}/export_csv`)
  expect(reply.statusCode).toBe(200)
  return reply.body
}

type Type = { id: number; name: string; depends_on_name: string | null } & Record<string, unknown>
const typesOf = async (category: Category): Promise<Type[]> =>
  (await ada.request('GET', pathOf(category))).json()
const typeOf = async (category: Category, name: string) =>
  (await typesOf(category)).find((type) => type.name === name)

async function added(category: Category, body: object): Promise<Type> {
  const reply = await ada.request('POST', pathOf(category), body)
  expect(reply.statusCode, reply.body).toBe(201)
  return reply.json()
}

const file = (header: string, ...rows: string[]) => [header, ...rows, ''].join('\n')
const SOURCE = 'name,group_name,description'

describe('columns', () => {
  test('the required ones make types with the defaults of their category', async () => {
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
      messages.csv_columns_same('max_concurrent', 'allowed_concurrent_tasks'),
    ])
  })

  test('a source type needs name, group_name and description', async () => {
    const reply = await upload('source', file('name,priority', 'A,1'))
    expect([reply.statusCode, reply.json().message]).toEqual([
      400,
      messages.csv_columns_missing(['group_name', 'description']),
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

  test('with overwriting, they take what the file says and keep what it does not name', async () => {
    const job = await imported('source', file(HEADER, ...rows), { overwrite_existing: true })
    expect(job.summary).toMatchObject({ created: 2, updated: 1, failed: 1 })
    expect(await typeOf('source', 'Old')).toMatchObject({ description: 'Changed', chunk_size: 1000 })
  })

  test('with validation, a cron expression that is none is an error of its row', async () => {
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

  test('an option that is neither true nor false is refused, and so is one that sync types do not have', async () => {
    const payload = (value: string) =>
      Buffer.concat([option('validate_cron', value), form({ content: file(SOURCE, 'A,,') })])
    expect((await send('source', payload('yes'))).statusCode).toBe(400)
    const reply = await send('sync', payload('true'))
    expect([reply.statusCode, reply.json().message]).toEqual([400, 'Unknown field: validate_cron'])
  })
})

describe('dependencies', () => {
  const HEADER = `${SOURCE},dependencies`

  test('are named with category and condition, and rows of one file depend on each other in any order', async () => {
    await added('sync', { name: 'Prices' })
    const job = await imported(
      'source',
      file(HEADER, 'Last,,,"First\nPrices | sync | completion"', 'First,,,', 'Middle,,,First | source'),
    )
    expect(job).toMatchObject({ status: 'completed', summary: { created: 3, failed: 0 } })
    expect((await typesOf('source')).map(({ name }) => name)).toEqual(['Last', 'First', 'Middle'])
    expect(await typeOf('source', 'Last')).toMatchObject({
      dependencies: [
        { name: 'First', task_category: 'source', condition_type: 'success' },
        { name: 'Prices', task_category: 'sync', condition_type: 'completion' },
      ],
    })
  })

  test('a circle through the file is an error of the rows that close it, and the others go in', async () => {
    await added('source', { name: 'Stays', depends_on_id: (await added('source', { name: 'Root' })).id })
    const job = await imported(
      'source',
      file(HEADER, 'A,,,B', 'B,,,C', 'C,,,A', 'Root,,,Stays', 'Fine,,,Stays', 'Needs A,,,A'),
    )
    const circular = 'Circular dependency detected. Please select a different dependency.'
    expect(job.summary).toMatchObject({ created: 1, updated: 0, failed: 5 })
    expect(job.errors).toEqual([
      ...[2, 3, 4, 5].map((row) => ({ row, field: 'dependencies', message: circular })),
      { row: 7, field: 'dependencies', message: messages.csv_dependency_unknown('source', 'A') },
    ])
    expect(await typeOf('source', 'Root')).toMatchObject({ dependencies: [] })
    expect((await typesOf('source')).map(({ name }) => name).sort()).toEqual(['Fine', 'Root', 'Stays'])
  })

  test('a circle over categories is refused, too', async () => {
    const { id } = await added('source', { name: 'Origin' })
    await added('sync', { name: 'Prices', depends_on_id: id })
    const job = await imported('source', file(HEADER, 'Origin,,,Prices | sync'))
    expect(job.errors).toMatchObject([{ row: 2, message: messages.circular_dependency }])
  })

  test('two types swap which of them depends on the other', async () => {
    const { id } = await added('source', { name: 'A' })
    await added('source', { name: 'B', depends_on_id: id })
    const job = await imported('source', file(HEADER, 'A,,,B', 'B,,,'))
    expect(job.summary).toMatchObject({ updated: 2, failed: 0 })
    expect(await typeOf('source', 'A')).toMatchObject({ depends_on_name: 'B' })
    expect(await typeOf('source', 'B')).toMatchObject({ dependencies: [] })
  })

  test.each([
    ['Itself', messages.depends_on_itself],
    ['Nowhere', messages.csv_dependency_unknown('source', 'Nowhere')],
    ['Nowhere | compiler', messages.csv_dependency_unknown('compiler', 'Nowhere')],
    ['"There\nThere | source"', messages.dependency_twice],
    [`"${Array.from({ length: 11 }, (_, n) => `T${n}`).join('\n')}"`, messages.dependencies_many],
  ])('%j is refused with its reason', async (cell, message) => {
    await added('source', { name: 'There' })
    const job = await imported('source', file(HEADER, `Itself,,,${cell}`))
    expect(job.errors).toEqual([{ row: 2, field: 'dependencies', message }])
  })
})

describe('export', () => {
  test('comes under the names of the spec, as a job that keeps the file', async () => {
    await added('source', { name: 'A' })
    const source = await ada.request('GET', '/api/source_task_types/export_csv')
    expect(source.headers['content-disposition']).toBe(
      'attachment; filename="source_task_types_2026-11-21.csv"',
    )
    const sync = await ada.request('GET', '/api/sync_task_types/export_csv')
    expect(sync.headers['content-disposition']).toBe(
      'attachment; filename="sync_task_types_export_2026-11-21_22-04-05.csv"',
    )
    const listed = await ada.request(
      'GET',
      '/csv_jobs/api/csv_import_export_jobs?type=sync_task_type&limit=5',
    )
    expect(csvJobs.list.reply.parse(listed.json())[0]).toMatchObject({
      job_id: Number(sync.headers['x-csv-job-id']),
      kind: 'export',
      status: 'completed',
    })
  })

  const rich = async () => {
    const prices = await added('sync', { name: 'Prices | sync', chunk_size: 77 })
    const root = await added('source', { name: '=Root, "quoted"', description: 'Two\nlines', priority: 2 })
    await added('source', {
      name: 'Leaf | success',
      group_name: '-G',
      cron_schedule: '*/5 * * * *',
      is_active: false,
      timeout_minutes: 9,
      dependencies: [
        { dependency_task_type_id: prices.id, condition_type: 'completion' },
        { dependency_task_type_id: root.id, condition_type: 'success' },
      ],
    })
  }

  test('and import again changes nothing', async () => {
    await rich()
    const [before, content] = [await typesOf('source'), await exported('source')]
    const job = await imported('source', content)
    expect(job.summary).toEqual({ created: 0, updated: 0, unchanged: 2, failed: 0 })
    expect(await typesOf('source')).toEqual(before)
    expect(await exported('source')).toBe(content)
  })

  test('brings back types that were deleted', async () => {
    await rich()
    const content = await exported('source')
    await site.db.deleteFrom('task_type_dependencies').execute()
    await site.db.deleteFrom('task_types').where('category', '=', 'source').execute()
    expect((await imported('source', content)).summary).toMatchObject({ created: 2, failed: 0 })
    expect(await exported('source')).toBe(content)
  })

  test('an export that LibreOffice has saved changes only what was edited in it', async () => {
    await rich()
    const content = await exported('source')
    // As LibreOffice 24 does: a byte order mark if asked, capitals, LF, decimals where a column was formatted, quotes
    // only where needed, empty columns behind.
    const saved = `\ufeff${content
      .replaceAll('\r\n', '\n')
      .replaceAll(',true,', ',TRUE,')
      .replaceAll(',false,', ',FALSE,')
      .replaceAll(',1000,', ',1000.00,')
      .replace('dependencies\n', 'dependencies,,\n')
      .replaceAll(/(\| (?:success|completion)"?)\n(?=['L]|$)/g, '$1,,\n')
      .replace(/,\n(?='?[=L])/g, ',,,\n')
      .replace('Two\nlines', 'Two\r\nlines')
      .replace(',9,', ',90,')}`
    const job = await imported('source', saved)
    expect([job.errors, job.summary]).toEqual([[], { created: 0, updated: 1, unchanged: 1, failed: 0 }])
    expect(await exported('source')).toBe(content.replace(',9,', ',90,'))
  })
})

describe('a hostile file', () => {
  const good = file(SOURCE, 'Never,,')
  const refused: [what: string, reply: () => ReturnType<typeof send>, status: number, message: string][] = [
    ['empty', () => upload('source', ''), 400, messages.csv_empty],
    ['header only', () => upload('source', file(SOURCE)), 400, messages.import_empty],
    ['a workbook called .csv', () => upload('source', 'PK\x03\x04'), 400, messages.csv_workbook],
    [
      'UTF-16',
      () => upload('source', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(good, 'utf16le')])),
      400,
      messages.csv_utf16,
    ],
    [
      'Latin-1 at its end',
      () => upload('source', Buffer.from(`${good}Müller,,\n`, 'latin1')),
      400,
      messages.csv_latin1,
    ],
    ['NUL', () => upload('source', `${good}A\0,,\n`), 400, messages.csv_nul],
    [
      'the column __proto__',
      () => upload('source', file(`${SOURCE},__proto__`, 'A,,,')),
      400,
      messages.csv_column_unknown('__proto__'),
    ],
    [
      'a column twice',
      () => upload('source', file(`${SOURCE},name`, 'A,,,B')),
      400,
      messages.csv_column_twice('name'),
    ],
    [
      'a million columns',
      () => upload('source', `${'a,'.repeat(1_000_000)}a\n`),
      400,
      messages.csv_columns_many(200),
    ],
    [
      '9 MB after an open quote',
      () => upload('source', `${SOURCE}\n"${'x,\n'.repeat(3_000_000)}`),
      400,
      messages.csv_row_long(2),
    ],
    [
      'another kind of file',
      () => upload('source', good, { filename: 'a.txt', mime: 'text/plain' }),
      400,
      messages.select_csv,
    ],
    ['no file', () => send('source', form()), 400, 'Choose a file to upload.'],
    [
      'two files',
      () => send('source', form({ content: good }, { content: good })),
      400,
      'Upload one file at a time.',
    ],
    [
      'cut off',
      () => send('source', form({ content: good }).subarray(0, -20)),
      400,
      'The upload ended early or is not valid. Please try again.',
    ],
    [
      'no boundary',
      () => send('source', form(), { 'content-type': 'multipart/form-data' }),
      400,
      'The upload ended early or is not valid. Please try again.',
    ],
    [
      'over 10 MB',
      () => upload('source', Buffer.alloc(limits.csv_bytes + 1, 'a')),
      413,
      'The file is too large.',
    ],
  ]
  test.each(refused)('is refused at the door: %s', async (_what, reply, status, message) => {
    const answer = await reply()
    expect([answer.statusCode, answer.json().message]).toEqual([status, message])
    expect(await typesOf('source')).toEqual([])
  })

  // More than is looked at before the call is answered.
  const many = file(SOURCE, ...Array.from({ length: 2_000 }, (_, index) => `Many ${index},,`))
  const failed: [what: string, content: string, message: string][] = [
    ['a quote that stays open', `${many}"`, messages.csv_quote_open(2_002)],
    ['a quote in the wrong place', `${many}A,"x"y,\n`, messages.csv_quote_stray(2_002)],
    ['20,001 rows', file(SOURCE, ...Array(20_000).fill('A,,')), messages.csv_rows_many(20_000)],
    ['five million blank lines', `${good}${'\n'.repeat(5_000_000)}`, messages.csv_rows_many(20_000)],
  ]
  test.each(failed)('fails as a whole, and nothing of it is kept: %s', async (_what, content, message) => {
    expect(await imported('source', content)).toMatchObject({ status: 'failed', error: message, summary: {} })
    expect(await typesOf('source')).toEqual([])
  })

  test('has its rows refused one by one, and never half of one', async () => {
    const rows: [row: string, field: string | null, message: string][] = [
      [',,,,', 'name', messages.name_required],
      [`${'x'.repeat(101)},,,,`, 'name', messages.name_too_long],
      ['Ragged,,,,,1', null, messages.csv_row_ragged(6, 5)],
      ['Priority,,,high,', 'priority', 'priority must be a number'],
      ['Half,,,1.5,', 'priority', 'priority must be a number'],
      [`Long,,${'x'.repeat(50_001)},,`, 'description', messages.description_long],
      ['Bell,\u0007,,,', 'group_name', messages.text_control],
      ['Good,,,,', 'name', messages.csv_name_twice(2)],
    ]
    const job = await imported(
      'source',
      file(
        `${SOURCE},priority,is_active`,
        'Good,,,,',
        '=IMPORTXML(1),+1,@x,1,true',
        ...rows.map(([row]) => row),
      ),
    )
    expect(job.errors.map(({ row }) => row)).toEqual(rows.slice(1).map((_, at) => at + 5))
    expect(job.errors).toMatchObject(
      rows.slice(1).map(([, field, message]) => ({ field, message: expect.stringContaining(message) })),
    )
    expect((await typesOf('source')).map(({ name }) => name)).toEqual(['Good', '=IMPORTXML(1)'])
  })

  test('row 900 of 1,000 is bad: 999 are added', async () => {
    const rows = Array.from({ length: 1000 }, (_, index) => (index === 898 ? ' ,,x' : `T${index},,`))
    const job = await imported('source', file(SOURCE, ...rows))
    expect(job.summary).toMatchObject({ created: 999, failed: 1 })
    expect(job.errors).toEqual([{ row: 900, field: 'name', message: messages.name_required }])
  })

  test('the same file twice at once adds its types once', async () => {
    const content = file(SOURCE, ...Array.from({ length: 100 }, (_, index) => `T${index},,`))
    const jobs = await Promise.all([imported('source', content), imported('source', content)])
    expect(jobs.map(({ summary }) => [summary.created, summary.unchanged]).sort()).toEqual([
      [0, 100],
      [100, 0],
    ])
  })
})

test('a changed chunk size changes all tasks of the type', async () => {
  const { id } = await added('sync', { name: 'Prices', chunk_size: 10 })
  await sql`insert into tasks (category, task_type_id, name, sort_order, chunk_size) values ('sync', ${id}, 'T', 1, 10)`.execute(
    site.db,
  )
  await imported('sync', file('name,chunk_size', 'Prices,20'))
  const { chunk_size } = await site.db
    .selectFrom('tasks')
    .select('chunk_size')
    .where('task_type_id', '=', id)
    .executeTakeFirstOrThrow()
  expect(chunk_size).toBe(20)
  await site.db.deleteFrom('tasks').where('task_type_id', '=', id).execute()
})

test('without a session neither files come nor go', async () => {
  expect((await site.app.inject('/api/source_task_types/export_csv')).statusCode).toBe(401)
  const reply = await site.app.inject({ method: 'POST', url: '/api/sync_task_types/import_csv' })
  expect(reply.statusCode).toBe(401)
})

test('an import is in the audit log, and so is each type that it adds', async () => {
  const job = await imported('source', file(SOURCE, 'Audited,,'))
  const entries = await site.db
    .selectFrom('audit_log')
    .select(['action', 'object_type', 'details'])
    .orderBy('id', 'desc')
    .limit(2)
    .execute()
  expect(entries).toMatchObject([
    { action: 'import', object_type: 'source_task_type', details: { job_id: job.id, created: 1 } },
    { action: 'create', object_type: 'source_task_type', details: { name: 'Audited' } },
  ])
})
