import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import type { CsvJob } from '../../contract/csv-jobs/calls.ts'
import { limits } from '../../contract/limits.ts'
import { problemOf } from './csv-file.ts'
import { JobBanner } from './job-banner.tsx'
import { outcomeOf, stateOf } from './job-labels.ts'
import { jobQuery, pollOf } from './jobs.ts'

const aJob: CsvJob = {
  id: 7,
  job_id: 7,
  type: 'source_task_type',
  kind: 'import',
  status: 'pending',
  filename: 'types.csv',
  processed_count: 0,
  progress: 0,
  summary: {},
  errors: [],
  warnings: [],
  error: null,
  has_file: false,
  created_by: 'ada@example.com',
  created_at: '2026-11-22T08:00:00.000Z',
  finished_at: null,
}
const refused = { row: 3, field: 'name', message: 'Name is required' }

function banner(job: CsvJob): string {
  const client = new QueryClient()
  client.setQueryData(jobQuery(7).queryKey, job)
  return renderToStaticMarkup(
    <MantineProvider>
      <QueryClientProvider client={client}>
        <JobBanner job_id={7} onDismiss={() => {}} />
      </QueryClientProvider>
    </MantineProvider>,
  )
}

describe('the banner of a job', () => {
  const ends: [job: Partial<CsvJob>, tone: string, label: string][] = [
    [{ status: 'pending' }, 'neutral', 'Pending'],
    [{ status: 'running', processed_count: 250, progress: 40 }, 'running', 'Processing'],
    [{ status: 'completed', summary: { created: 2 } }, 'success', 'Completed'],
    [{ status: 'completed', summary: { created: 2, failed: 1 }, errors: [refused] }, 'warning', 'Completed'],
    [{ status: 'failed', error: 'The file is empty.' }, 'error', 'Failed'],
  ]
  test.each(ends)('%j has its own colour, icon and label', (part, tone, label) => {
    const shown = banner({ ...aJob, ...part })
    expect(shown).toContain(`data-tone="${tone}"`)
    expect(shown).toContain(`<b>${label}</b>`)
    const others = ends
      .filter(([other]) => other !== part)
      .map(([other]) => stateOf({ ...aJob, ...other }).Icon)
    expect(others).not.toContain(stateOf({ ...aJob, ...part }).Icon)
  })

  test.each(ends)('%j can be dismissed only after its end', (part) => {
    const ended = part.status === 'completed' || part.status === 'failed'
    expect(banner({ ...aJob, ...part }).includes('Dismiss CSV job 7')).toBe(ended)
  })

  test('a running job shows its progress', () => {
    const shown = banner({ ...aJob, status: 'running', processed_count: 250, progress: 40 })
    expect(shown).toContain('250 rows so far')
    expect(shown).toContain('aria-valuenow="40"')
  })

  test('a completed job shows its summary', () => {
    const summary = { created: 2, updated: 1, unchanged: 4, skipped: 1, failed: 0 }
    expect(banner({ ...aJob, status: 'completed', summary })).toContain(
      '2 created, 1 updated, 4 unchanged, 1 skipped',
    )
  })

  test('a failed job shows its errors, the first 100 of them', () => {
    const errors = Array.from({ length: 100 }, (_, n) => ({ ...refused, row: n + 2 }))
    const shown = banner({
      ...aJob,
      status: 'failed',
      error: 'All 150 rows of the file were refused',
      summary: { failed: 150 },
      errors,
    })
    expect(shown).toContain('All 150 rows of the file were refused')
    expect(shown).toContain('Showing first 100 of 150 errors…')
    expect(shown).toContain('Name is required')
  })
})

test('an export shows its number of rows', () => {
  expect(outcomeOf({ ...aJob, kind: 'export', status: 'completed', summary: { exported: 1 } })).toBe('1 row')
})

test('a job is polled every 1500 ms until it has ended, also before its first reply', () => {
  const every = [undefined, 'pending', 'running', 'completed', 'failed'] as const
  expect(every.map((status) => pollOf(status && { status }))).toEqual([1500, 1500, 1500, false, false])
})

describe('a file to import', () => {
  const file = (name: string, type = '', size = 1) => new File(['x'.repeat(size)], name, { type })
  test.each<[what: string, files: File[], problem: string | null]>([
    ['one by its name', [file('a.CSV')], null],
    ['one by its MIME type', [file('a.txt', 'text/csv')], null],
    ['another kind', [file('a.xlsx')], 'Please select a CSV file'],
    ['two', [file('a.csv'), file('b.csv')], 'Upload one file at a time.'],
    ['none', [], 'Choose a file to upload.'],
    ['more than 10 MB', [file('a.csv', '', limits.csv_bytes + 1)], 'File size must be less than 10MB'],
  ])('%s', (_what, files, problem) => {
    expect(problemOf(files)).toBe(problem)
  })
})
