import { expect, test } from 'vitest'
import { form } from '../../../../test/fixtures/form.ts'
import { file, SOURCE, typeFiles } from '../../../../test/fixtures/type-files.ts'
import { csvJobMessages } from '../../../contract/csv-jobs/client-messages.ts'
import { csvJobServerMessages } from '../../../contract/csv-jobs/server-messages.ts'
import { fieldMessages } from '../../../contract/field-messages.ts'
import { limits } from '../../../contract/limits.ts'

const { imported, send, typesOf, upload } = typeFiles()

const good = file(SOURCE, 'Never,,')
const refused: [what: string, reply: () => ReturnType<typeof send>, status: number, message: string][] = [
  ['empty', () => upload('source', ''), 400, csvJobServerMessages.csv_empty],
  ['header only', () => upload('source', file(SOURCE)), 400, csvJobServerMessages.import_empty],
  ['a workbook called .csv', () => upload('source', 'PK\x03\x04'), 400, csvJobServerMessages.csv_workbook],
  [
    'UTF-16',
    () => upload('source', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(good, 'utf16le')])),
    400,
    csvJobServerMessages.csv_utf16,
  ],
  [
    'Latin-1 at its end',
    () => upload('source', Buffer.from(`${good}Müller,,\n`, 'latin1')),
    400,
    csvJobServerMessages.csv_latin1,
  ],
  ['NUL', () => upload('source', `${good}A\0,,\n`), 400, csvJobServerMessages.csv_nul],
  [
    'the column __proto__',
    () => upload('source', file(`${SOURCE},__proto__`, 'A,,,')),
    400,
    csvJobServerMessages.csv_column_unknown('__proto__'),
  ],
  [
    'a column twice',
    () => upload('source', file(`${SOURCE},name`, 'A,,,B')),
    400,
    csvJobServerMessages.csv_column_twice('name'),
  ],
  [
    'a million columns',
    () => upload('source', `${'a,'.repeat(1_000_000)}a\n`),
    400,
    csvJobServerMessages.csv_columns_many(200),
  ],
  [
    '9 MB after an open quote',
    () => upload('source', `${SOURCE}\n"${'x,\n'.repeat(3_000_000)}`),
    400,
    csvJobServerMessages.csv_row_long(2),
  ],
  [
    'another kind of file',
    () => upload('source', good, { filename: 'a.txt', mime: 'text/plain' }),
    400,
    csvJobMessages.select_csv,
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
test.each(refused)('a hostile file is refused on upload: %s', async (_what, reply, status, message) => {
  const answer = await reply()
  expect([answer.statusCode, answer.json().message]).toEqual([status, message])
  expect(await typesOf('source')).toEqual([])
})

// More than is looked at before the call is answered.
const many = file(SOURCE, ...Array.from({ length: 2_000 }, (_, index) => `Many ${index},,`))
const failed: [what: string, content: string, message: string][] = [
  ['a quote that stays open', `${many}"`, csvJobServerMessages.csv_quote_open(2_002)],
  ['a quote in the wrong place', `${many}A,"x"y,\n`, csvJobServerMessages.csv_quote_stray(2_002)],
  ['20,001 rows', file(SOURCE, ...Array(20_000).fill('A,,')), csvJobServerMessages.csv_rows_many(20_000)],
  [
    'five million blank lines',
    `${good}${'\n'.repeat(5_000_000)}`,
    csvJobServerMessages.csv_rows_many(20_000),
  ],
]
test.each(failed)(
  'a hostile file fails as a whole and stores nothing: %s',
  async (_what, content, message) => {
    expect(await imported('source', content)).toMatchObject({ status: 'failed', error: message, summary: {} })
    expect(await typesOf('source')).toEqual([])
  },
)

test('a hostile file has its rows refused one by one, each completely', async () => {
  const rows: [row: string, field: string | null, message: string][] = [
    [',,,,', 'name', fieldMessages.name_required],
    [`${'x'.repeat(101)},,,,`, 'name', fieldMessages.name_too_long],
    ['Ragged,,,,,1', null, csvJobServerMessages.csv_row_ragged(6, 5)],
    ['Priority,,,high,', 'priority', 'priority must be a number'],
    ['Half,,,1.5,', 'priority', 'priority must be a number'],
    [`Long,,${'x'.repeat(50_001)},,`, 'description', fieldMessages.description_long],
    ['Bell,\u0007,,,', 'group_name', fieldMessages.text_control],
    ['Good,,,,', 'name', csvJobServerMessages.csv_name_twice(2)],
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

test('if row 900 of 1,000 is invalid, 999 are added', async () => {
  const rows = Array.from({ length: 1000 }, (_, index) => (index === 898 ? ' ,,x' : `T${index},,`))
  const job = await imported('source', file(SOURCE, ...rows))
  expect(job.summary).toMatchObject({ created: 999, failed: 1 })
  expect(job.errors).toEqual([{ row: 900, field: 'name', message: fieldMessages.name_required }])
})

test('the same file twice at once adds its types once', async () => {
  const content = file(SOURCE, ...Array.from({ length: 100 }, (_, index) => `T${index},,`))
  const jobs = await Promise.all([imported('source', content), imported('source', content)])
  expect(jobs.map(({ summary }) => [summary.created, summary.unchanged]).sort()).toEqual([
    [0, 100],
    [100, 0],
  ])
})
