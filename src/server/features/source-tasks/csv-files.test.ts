import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aSpreadsheetId, aType } from '../../../../test/fixtures/factories.ts'
import { sourceTasksOf } from '../../../../test/fixtures/source-tasks.ts'
import { uploadsTo } from '../../../../test/fixtures/uploads.ts'
import { ImportReply } from '../../../contract/csv-jobs/calls.ts'
import { csvJobMessages } from '../../../contract/csv-jobs/client-messages.ts'
import { csvJobServerMessages } from '../../../contract/csv-jobs/server-messages.ts'

let app: TestApp
let ada: SignedIn
let uploads: ReturnType<typeof uploadsTo>

beforeAll(async () => {
  app = await testApp()
  ada = await app.signIn()
  uploads = uploadsTo('/api/source_tasks/import_csv', app, ada)
})

beforeEach(async () => {
  await app.db.deleteFrom('tasks').execute()
})

const HEADER = 'source_task_type_name,name,source_type,source_identifier,spreadsheet_id,sheet_name'

describe('files that are refused', () => {
  test.each([
    [
      'another kind of file',
      'name\n',
      { filename: 'a.txt', mime: 'text/plain' },
      400,
      csvJobMessages.select_csv,
    ],
    ['nothing but a header', `${HEADER}\n`, {}, 400, csvJobServerMessages.import_empty],
    [
      'required columns missing',
      'name\nA\n',
      {},
      400,
      csvJobServerMessages.csv_columns_missing(['source_task_type_name', 'source_type']),
    ],
    [
      'a column that is unknown',
      `${HEADER},colour\n,A,sheet,,,,red\n`,
      {},
      400,
      csvJobServerMessages.csv_column_unknown('colour'),
    ],
    [
      'a column by both of its names',
      `${HEADER},source_ss_id\n,A,sheet,,,,x\n`,
      {},
      400,
      csvJobServerMessages.csv_columns_same('spreadsheet_id', 'source_ss_id'),
    ],
    ['a workbook', 'PK\x03\x04', {}, 400, csvJobServerMessages.csv_workbook],
    ['a quote that is never closed', `${HEADER}\n"A`, {}, 400, csvJobServerMessages.csv_quote_open(2)],
  ])('%s', async (_what, content, part, status, message) => {
    const reply = await uploads.upload(content, part)
    expect([reply.statusCode, reply.json().message]).toEqual([status, message])
    expect(await sourceTasksOf(ada).list()).toEqual([])
  })

  test('more than 5 MB', async () => {
    const reply = await uploads.upload(`${HEADER}\n${'x'.repeat(5_242_880)}`)
    expect([reply.statusCode, reply.json().code]).toEqual([413, 'file_too_large'])
  })
})

describe('a file of sync tasks', () => {
  const job = async (id: number) => (await ada.request('GET', `/api/csv_jobs/${id}`)).json()

  test.each([
    [
      'as an earlier program wrote it',
      'task_type,name,source_ss_id,source_sheet_name,target_ss_id,target_sheet_name',
      '',
    ],
    [
      'as it is exported now, behind a mark and blank lines',
      '\ufeff\n"task_type", name ,source_type,source_ss_id,source_sheet_name,target_ss_id,target_sheet_name',
      'sheet,',
    ],
  ])('%s goes to their import', async (_what, header, type) => {
    const of = await aType(app.db)
    const row = `${of.name},Copied,${type}${aSpreadsheetId()},From,${aSpreadsheetId()},To`
    const reply = ImportReply.parse((await uploads.upload(`${header}\n${row}\n`)).json())
    expect(reply).toMatchObject({ status: 'success', created: 1 })
    expect(await job(reply.job_id)).toMatchObject({ type: 'sync_task' })
    const added = await app.db.selectFrom('tasks').select(['category', 'name']).execute()
    expect(added).toEqual([{ category: 'sync', name: 'Copied' }])
  })

  test('a file that also has the columns of a source task is a file of source tasks', async () => {
    const reply = await uploads.upload(
      'name,source_type,spreadsheet_id,source_ss_id,target_ss_id\nA,sheet,,,\n',
    )
    expect(reply.json()).toMatchObject({
      message: csvJobServerMessages.csv_columns_same('spreadsheet_id', 'source_ss_id'),
    })
  })
})
