import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aConnectedUser, aRun, aSyncTask } from '../../../../test/fixtures/factories.ts'

const METRICS_TOKEN = 'a token of the tests, long enough for the rule'
const headers = { authorization: `Bearer ${METRICS_TOKEN}` }

type Series = { name: string; labels: Record<string, string>; value: number }

let site: TestApp
let series: Series[]

/** The lines of Prometheus' text form. */
const parse = (text: string): Series[] =>
  text.split('\n').flatMap((line) => {
    const [, name = '', inside = '', value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
    const labels = [...inside.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, text]) => [label, text])
    return name === '' ? [] : [{ name, labels: Object.fromEntries(labels), value: Number(value) }]
  })

const scrape = async (app: TestApp) => parse((await app.app.inject({ url: '/metrics', headers })).body)
const gauge = (name: string, labels: Record<string, string> = {}) =>
  series.find((one) => one.name === name && Object.entries(labels).every(([k, v]) => one.labels[k] === v))
    ?.value

beforeAll(async () => {
  site = await testApp({ env: { METRICS_TOKEN } })
  const { db, app } = site
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)
  const [well, failed, waiting] = [await aSyncTask(db), await aSyncTask(db), await aSyncTask(db)]
  await aRun(db, well.id, {
    state: 'success',
    started_at: minutesAgo(3),
    finished_at: minutesAgo(1),
    rows_done: 700,
    redeliveries: 2,
    receipt: JSON.stringify({ cells_changed: 41 }),
  })
  const last = await aRun(db, failed.id, {
    state: 'failed',
    started_at: minutesAgo(2),
    finished_at: minutesAgo(2),
  })
  await aRun(db, failed.id, { state: 'failed', started_at: minutesAgo(90), finished_at: minutesAgo(80) })
  await db.updateTable('tasks').set({ last_run_id: last.id }).where('id', '=', failed.id).execute()
  await aRun(db, waiting.id, { queued_at: minutesAgo(10) })
  await db
    .insertInto('quota_log')
    .values({
      project: site.config.google.clientId,
      account: 'ada@example.com',
      kind: 'read',
      started_at: new Date(),
    })
    .execute()
  await aConnectedUser(db)
  const revoked = [await aConnectedUser(db), await aConnectedUser(db, { disabled_at: new Date() })]
  await db
    .updateTable('grants')
    .set({ revoked_at: new Date() })
    .where(
      'user_id',
      'in',
      revoked.map(({ user_id }) => user_id),
    )
    .execute()
  await db
    .insertInto('due_moments')
    .values({
      schedule: 'task',
      task_id: well.id,
      due_at: minutesAgo(5),
      last_due_at: minutesAgo(5),
      stage: 0,
      outcome: 'missed',
      recorded_at: minutesAgo(4),
    })
    .execute()
  await app.inject('/api/nothing')
  await app.inject('/api/sync_tasks')
  series = await scrape(site)
})

test('runs, rows, cells, durations, redeliveries and queue are exported', () => {
  expect(gauge('rowferry_runs_ended_last_hour', { category: 'sync', state: 'success' })).toBe(1)
  expect(gauge('rowferry_runs_ended_last_hour', { category: 'sync', state: 'failed' })).toBe(1)
  expect(gauge('rowferry_runs_ended_last_hour', { category: 'source', state: 'failed' })).toBe(0)
  expect(gauge('rowferry_tasks', { category: 'sync', state: 'failed' })).toBe(1)
  expect(gauge('rowferry_rows_last_hour', { category: 'sync' })).toBe(700)
  expect(gauge('rowferry_cells_changed_last_hour')).toBe(41)
  expect(gauge('rowferry_redeliveries_last_hour')).toBe(2)
  expect(gauge('rowferry_run_seconds_last_hour', { category: 'sync', quantile: '1' })).toBeCloseTo(120, 0)
  expect(gauge('rowferry_runs_live', { category: 'sync', state: 'queued' })).toBe(1)
  expect(gauge('rowferry_runs_oldest_queued_seconds')).toBeGreaterThan(590)
})

test('scheduled runs, quota by account, sizes, and refusals by name are exported', () => {
  expect(gauge('rowferry_due_last_hour', { outcome: 'missed' })).toBe(1)
  expect(gauge('rowferry_due_lag_seconds')).toBeCloseTo(60, 0)
  expect(gauge('rowferry_quota_used', { account: 'ada@example.com', kind: 'read' })).toBe(1)
  expect(gauge('rowferry_quota_used', { account: 'all', kind: 'write' })).toBe(0)
  expect(gauge('rowferry_quota_limit', { account: 'all' })).toBe(300)
  expect(gauge('rowferry_database_bytes', { part: 'all' })).toBeGreaterThan(1_000_000)
  expect(gauge('rowferry_http_failures_total', { code: 'unauthenticated' })).toBe(1)
  expect(gauge('rowferry_disk_free_bytes')).toBeGreaterThan(0)
  expect(gauge('rowferry_database_up')).toBe(1)
})

test('Google accounts are counted by whether they are usable, without those of disabled users', () => {
  expect(gauge('rowferry_grants', { state: 'connected' })).toBe(1)
  expect(gauge('rowferry_grants', { state: 'revoked' })).toBe(1)
})

test('without the database the processes still answer, report it, and export no outdated values', async () => {
  const own = await testApp({ env: { METRICS_TOKEN } })
  await scrape(own)
  await own.db.destroy()
  series = await scrape(own)
  expect(gauge('rowferry_database_up')).toBe(0)
  const OF_PROCESSES = /^rowferry_(http|process|nodejs)_|^rowferry_(database_up|disk_free_bytes)$/
  expect(series.filter(({ name }) => !OF_PROCESSES.test(name))).toEqual([])
  expect(gauge('rowferry_process_resident_memory_bytes')).toBeGreaterThan(0)
  series = await scrape(site)
})

test('the time waited for a run is separate from the processing time', async () => {
  const ada = await site.signIn()
  const { id } = await site.db
    .selectFrom('runs')
    .select('id')
    .where('state', '=', 'success')
    .executeTakeFirstOrThrow()
  await ada.request('GET', `/api/runs/${id}`)
  await ada.request('GET', `/api/runs/${id}?wait=1`)
  await ada.request('POST', '/api/sync_tasks/99999/execute')
  series = await scrape(site)
  const count = (labels: Record<string, string>) => gauge('rowferry_http_request_seconds_count', labels)
  expect(count({ route: '/api/runs/:id', waits: 'false' })).toBe(1)
  expect(count({ route: '/api/runs/:id', waits: 'true' })).toBe(1)
  expect(count({ route: '/api/sync_tasks/:id/execute', waits: 'true' })).toBe(1)
  expect(count({ route: '/auth/callback', waits: 'true' })).toBe(1)
})

const DEPLOY = join(import.meta.dirname, '../../../../deploy')
const hasPromtool = spawnSync('promtool', ['--version']).status === 0

if (!hasPromtool) console.info('The alert rules are not carried out: this machine has no promtool.')

test.runIf(hasPromtool)('each alarm fires and resolves, as evaluated by Prometheus', () => {
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', 'prometheus-alerts.test.yml'], {
    cwd: DEPLOY,
    encoding: 'utf8',
  })
  expect(status, stdout + stderr).toBe(0)
})

describe('every shipped query finds its metrics', () => {
  const deploy = (name: string) => readFile(join(DEPLOY, name), 'utf8')
  const matches = ({ labels }: Series, label: string, operator: string, wanted: string) => {
    const value = labels[label] ?? ''
    const is = operator.includes('~') ? new RegExp(`^(?:${wanted})$`).test(value) : value === wanted
    return operator.startsWith('!') ? !is : is
  }
  /** The selectors of a query that nothing answers. */
  const unanswered = (query: string) =>
    [...query.matchAll(/\b(rowferry_\w+)(?:\{([^}]*)\})?/g)].flatMap(([selector, name, inside = '']) => {
      const wanted = [...inside.matchAll(/(\w+)(=~|!~|!=|=)"([^"]*)"/g)]
      const found = series.filter(
        (one) =>
          one.name === name &&
          wanted.every(([, label = '', operator = '', text = '']) => matches(one, label, operator, text)),
      )
      return found.length > 0 ? [] : [selector]
    })

  // Of a day without failures; status codes that did not come yet are no series.
  const QUIET = [/state=~"failed\|error"/, /status=~"5\.\."/]

  test('of the alert rules, which are all documented and tested', async () => {
    const text = await deploy('prometheus-alerts.yml')
    const rules = [...text.matchAll(/alert: (\w+)\n\s+expr: '(.*)'/g)]
    expect(rules.length).toBeGreaterThan(12)
    const guide = await readFile(join(import.meta.dirname, '../../../../docs/operations.md'), 'utf8')
    const cases = await deploy('prometheus-alerts.test.yml')
    expect(text.match(/alert: /g)).toHaveLength(rules.length)
    for (const [, name = '', query = ''] of rules) {
      expect(cases).toContain(`alertname: ${name}`)
      const missing = unanswered(query).filter((selector) => !QUIET.some((quiet) => quiet.test(selector)))
      expect(missing, name).toEqual([])
      expect(guide).toContain(`| ${name} |`)
    }
  })

  test('of the dashboard', async () => {
    const Dashboard = z.object({
      panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })) })),
    })
    const { panels } = Dashboard.parse(JSON.parse(await deploy('grafana-dashboard.json')))
    expect(panels.length).toBeGreaterThan(15)
    for (const { title, targets } of panels)
      for (const { expr } of targets) expect(unanswered(expr), title).toEqual([])
  })
})
