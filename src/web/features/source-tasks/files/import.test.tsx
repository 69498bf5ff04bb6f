import { MantineProvider } from '@mantine/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { CsvJob } from '../../../../contract/csv-jobs/calls.ts'
import { limits } from '../../../../contract/limits.ts'
import { problemOf } from '../../../csv-jobs/csv-file.ts'
import { awaitJob, PollTimeout } from './await-job.ts'
import { importRules } from './import-dialog.tsx'
import { ImportResultView } from './import-result.tsx'
import { resultOf } from './import-tasks.ts'

const job = (fields: Partial<CsvJob> = {}): CsvJob => ({
  id: 7,
  job_id: 7,
  type: 'source_task',
  kind: 'import',
  status: 'completed',
  filename: 'tasks.csv',
  processed_count: 3,
  progress: 100,
  summary: {},
  errors: [],
  warnings: [],
  error: null,
  has_file: false,
  created_by: 'ada@example.com',
  created_at: '2026-11-22T08:00:00.000Z',
  finished_at: null,
  ...fields,
})
const refused = (row: number) => ({ row, field: 'name', message: 'Name is required' })

/** A clock that advances only during the pauses of the polling. */
function polling(answers: (CsvJob | Error)[]) {
  let time = 0
  const pauses: number[] = []
  const seen: CsvJob[] = []
  const read = async () => {
    const answer = answers.length > 1 ? answers.shift() : answers[0]
    if (answer instanceof Error) throw answer
    return answer ?? job()
  }
  const pause = async (ms: number) => {
    pauses.push(ms)
    time += ms
  }
  const ended = awaitJob({ read, pause, now: () => time, onProgress: (one) => seen.push(one) })
  return { ended, pauses, seen }
}

test('a job is polled every second until it has ended', async () => {
  const running = job({ status: 'running', progress: 40 })
  const { ended, pauses, seen } = polling([job({ status: 'pending' }), running, job()])
  expect((await ended).status).toBe('completed')
  expect(pauses).toEqual([1000, 1000])
  expect(seen).toHaveLength(2)
})

test('polling ends after 120 s with Polling timed out, code POLL_TIMEOUT', async () => {
  const { ended, pauses } = polling([job({ status: 'running' })])
  await expect(ended).rejects.toMatchObject({ message: 'Polling timed out', code: 'POLL_TIMEOUT' })
  await expect(ended).rejects.toBeInstanceOf(PollTimeout)
  expect(pauses).toHaveLength(120)
})

test('two failed requests are ignored, three in a row end the polling', async () => {
  const away = new Error('Away')
  expect((await polling([away, away, job()]).ended).id).toBe(7)
  await expect(polling([away]).ended).rejects.toBe(away)
})

test('the result of an import has the specified texts', () => {
  expect(resultOf(job())).toMatchObject({ tone: 'success', summary: 'Import completed' })
  expect(resultOf(job({ errors: [refused(2)] }))).toMatchObject({
    tone: 'warning',
    summary: 'Import completed',
  })
  expect(resultOf(job({ status: 'failed', errors: [refused(2)] }))).toMatchObject({
    tone: 'error',
    summary: 'Import failed (validation)',
  })
  expect(resultOf(job({ status: 'failed', error: 'The file is empty.' }))).toMatchObject({
    tone: 'error',
    summary: 'Import failed',
    reason: 'The file is empty.',
  })
})

test('the first hundred errors are shown, with the total', () => {
  const errors = Array.from({ length: 100 }, (_, n) => refused(n + 2))
  const shown = (fields: Partial<CsvJob>) =>
    renderToStaticMarkup(
      <MantineProvider>
        <ImportResultView result={resultOf(job({ status: 'failed', errors, ...fields }))} />
      </MantineProvider>,
    )
  const cut = shown({ summary: { failed: 250 } })
  expect(cut).toContain('Showing first 100 of 250 errors…')
  expect(cut.match(/Name is required/g)).toHaveLength(100)
  expect(shown({ summary: { failed: 100 } })).not.toContain('Showing first')
})

test.each([
  ['tasks.csv', 1, null],
  ['tasks.xlsx', 1, 'File must have .csv extension'],
  ['tasks.csv', limits.source_csv_bytes, null],
  ['tasks.csv', limits.source_csv_bytes + 1, 'File too large (5MB max)'],
])('a file %s of %d bytes: %s', (name, bytes, problem) => {
  expect(problemOf([new File(['x'.repeat(bytes)], name)], importRules)).toBe(problem)
})
