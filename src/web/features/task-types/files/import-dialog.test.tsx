import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import type { CsvJob } from '../../../../contract/csv-jobs/calls.ts'
import { errors } from '../../../../contract/errors.ts'
import { CallError } from '../../../lib/call.ts'
import { failureOf, ImportDialog } from './import-dialog.tsx'
import { ImportOutcome } from './import-outcome.tsx'
import { exportFailure, exportTypes } from './source-type-files.tsx'

const warning = { row: 2, field: 'name', message: '“A” exists already and was skipped' }
const refused = { row: 4, field: 'name', message: 'Name is required' }
const job = (part: Partial<CsvJob>): CsvJob => ({
  id: 7,
  job_id: 7,
  type: 'source_task_type',
  kind: 'import',
  status: 'completed',
  filename: 'types.csv',
  processed_count: 3,
  progress: 100,
  summary: {},
  errors: [],
  warnings: [],
  error: null,
  has_file: false,
  created_by: 'ada@example.com',
  created_at: '2026-11-22T08:00:00.000Z',
  finished_at: '2026-11-22T08:00:01.000Z',
  ...part,
})
const shown = (part: Partial<CsvJob>) =>
  renderToStaticMarkup(
    <MantineProvider>
      <QueryClientProvider client={new QueryClient()}>
        <ImportOutcome job={job(part)} />
      </QueryClientProvider>
    </MantineProvider>,
  )

test('the dialog has three options, lists required and optional columns, and accepts only .csv', () => {
  // The dialog reads document.activeElement; portals are not part of the rendered markup.
  vi.stubGlobal('document', { activeElement: null })
  const inline = { components: { Modal: { defaultProps: { withinPortal: false } } } }
  const dialog = renderToStaticMarkup(
    <MantineProvider env="test" theme={inline}>
      <QueryClientProvider client={new QueryClient()}>
        <ImportDialog onClose={() => {}} onImported={() => {}} onLeft={() => {}} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  vi.unstubAllGlobals()
  expect(dialog).toContain('Overwrite existing types with the same name')
  expect(dialog).toContain('Validate cron expressions before import')
  expect(dialog).toContain('Activate imported types automatically')
  expect(dialog).toContain('Required columns: name, group_name, description.')
  expect(dialog).toContain(
    'cron_schedule, priority, is_active, max_concurrent, timeout_minutes, max_retries, retry_delay',
  )
  expect(dialog).toContain('accept=".csv"')
})

test('a successful import shows Import Successful with its counts and warnings', () => {
  const panel = shown({ summary: { created: 2, updated: 0, skipped: 1 }, warnings: [warning] })
  expect(panel).toContain('Import Successful')
  expect(panel).toContain('<dt>created</dt><dd>2</dd>')
  expect(panel).toContain('<dt>updated</dt><dd>0</dd>')
  expect(panel).toContain('“A” exists already and was skipped')
})

test('rejected rows are shown beside the imported ones', () => {
  const panel = shown({ summary: { created: 2, failed: 1 }, errors: [refused] })
  expect(panel).toContain('Import Successful')
  expect(panel).toContain('1 row was refused')
  expect(panel).toContain('Name is required')
})

test('a failed import shows Import Error with the reason, or the errors of its rows', () => {
  const panel = shown({ status: 'failed', error: 'Row 3 has a quote that is never closed.' })
  expect(panel).toContain('Import Error')
  expect(panel).toContain('Row 3 has a quote that is never closed.')
  const all = shown({ status: 'failed', error: 'All rows', summary: { failed: 1 }, errors: [refused] })
  expect(all).toContain('Validation errors: Name is required')
})

test('a rejected file shows the server’s error, the errors of its fields, or a hint to check the format', () => {
  const body = { message: 'Said', error: 'Error said' }
  expect(failureOf(new CallError(400, 'Said', body))).toBe('Error said')
  const fields = [
    { field: 'file', message: 'No table' },
    { field: 'validate_cron', message: 'No flag' },
  ]
  expect(failureOf(new CallError(400, errors.unexpected.message, { errors: fields }))).toBe(
    'Validation errors: No table, No flag',
  )
  const other = 'Failed to import file. Please check the format and try again.'
  expect(failureOf(new CallError(502, errors.unexpected.message))).toBe(other)
  expect(failureOf(new DOMException('Late', 'TimeoutError'))).toBe(other)
})

test('an export times out after 45 s and shows an error', async () => {
  const clock = new AbortController()
  const limit = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(clock.signal)
  vi.stubGlobal('document', { cookie: '' })
  vi.stubGlobal('fetch', (_: string, { signal }: { signal: AbortSignal }) => {
    clock.abort(new DOMException('Late', 'TimeoutError'))
    return Promise.reject(signal.reason)
  })
  const failure = await exportTypes().catch(exportFailure)
  vi.unstubAllGlobals()
  expect(limit).toHaveBeenCalledExactlyOnceWith(45_000)
  limit.mockRestore()
  expect(failure).toBe('Export timed out. Please try again.')
  expect(exportFailure(new CallError(500, ''))).toBe('Failed to export CSV')
})
