import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import type { TaskCategory } from '../../platform/schema.ts'

/** Median and 90th percentile over recent successful runs. */
export type Spread = { median: number; p90: number }

/** What a run of a task is expected to take. */
export type RunEstimate = {
  task_id: number
  category: TaskCategory
  task_type_id: number | null
  /** No schedule runs it. */
  is_schedule_paused: boolean
  /** Successful runs behind the estimate. 0: averages of the category are used. */
  measured_runs: number
  /** Work: from the start of the run to its end, without its waits for the quota and for retries. */
  seconds: Spread
  /** Requests against Google's quota. */
  reads: Spread
  writes: Spread
  /** Addresses of the accounts among which the requests are spread. Blank: no Google account is known. */
  accounts: string[]
}

// Bounds the work for a task that has failed for weeks.
const RECENT_RUNS = 10

const NOTHING: Spread = { median: 0, p90: 0 }

type Row = Pick<
  RunEstimate,
  'task_id' | 'category' | 'task_type_id' | 'is_schedule_paused' | 'measured_runs' | 'accounts'
> & {
  uses_google: boolean
  seconds: number[] | null
  reads: number[] | null
  writes: number[] | null
}

/**
 * Estimates duration and requests of a run of each active task from its last successful runs. A task without one gets the averages
 * of its category.
 */
export async function readRunEstimates(db: Db): Promise<RunEstimate[]> {
  // Index: runs_task_idx and the primary key.
  const { rows } = await sql<Row>`
    select k.id as task_id, k.category, k.task_type_id, k.is_schedule_paused, m.measured_runs, m.seconds, m.reads, m.writes,
      k.category = 'sync' or (s.source_type = 'sheet' and s.provider <> 'files') as uses_google,
      array(
        select lower(u.email) from users u
        where u.id = k.account_user_id or u.shares_grant and lower(u.email) = any (k.relevant_user_accounts)
      ) as accounts
    from tasks k
    left join source_tasks s on s.task_id = k.id
    cross join lateral (
      select count(*)::int as measured_runs,
        percentile_cont(array[0.5, 0.9]) within group (order by seconds) as seconds,
        percentile_cont(array[0.5, 0.9]) within group (order by reads) as reads,
        percentile_cont(array[0.5, 0.9]) within group (order by writes) as writes
      from (
        select recent.id,
          greatest(0, extract(epoch from recent.finished_at - recent.started_at)::float8 - (
            select coalesce(sum(extract(epoch from
              coalesce((w ->> 'to')::timestamptz, recent.finished_at) - (w ->> 'from')::timestamptz)), 0)::float8
            from jsonb_array_elements(recent.waits) w
          )) as seconds,
          coalesce((recent.receipt ->> 'reads')::float8, (recent.receipt ->> 'requests')::float8, 0) as reads,
          coalesce((recent.receipt ->> 'writes')::float8, 0) as writes
        from (
          (select r.* from runs r where r.task_id = k.id and not r.is_preview order by r.id desc limit ${RECENT_RUNS})
          union all
          -- The last success of a task that has failed ever since.
          (select r.* from runs r where r.id = k.last_success_run_id and r.id is distinct from k.last_run_id
            and not exists (
              select from (
                select id, state from runs where task_id = k.id and not is_preview order by id desc limit ${RECENT_RUNS}
              ) newer
              where newer.state in ('success', 'warning')
            ))
        ) recent
        where recent.state in ('success', 'warning') and recent.receipt is not null
          and recent.started_at is not null and recent.finished_at is not null
      ) successes
    ) m
    where k.is_active
    order by k.category, k.sort_order, k.id`.execute(db)
  const averages = new Map(
    [...Map.groupBy(rows, ({ category }) => category)].map(([category, some]) => [category, averageOf(some)]),
  )
  return rows.map(({ uses_google, seconds, reads, writes, ...task }) => {
    const usual = averages.get(task.category)
    const requests = (measured: number[] | null, average?: Spread) =>
      uses_google ? (spread(measured) ?? average ?? NOTHING) : NOTHING
    return {
      ...task,
      seconds: spread(seconds) ?? usual?.seconds ?? NOTHING,
      reads: requests(reads, usual?.reads),
      writes: requests(writes, usual?.writes),
    }
  })
}

const spread = (measured: readonly number[] | null): Spread | null => {
  const [median, p90] = measured ?? []
  return median === undefined || p90 === undefined ? null : { median, p90 }
}

function averageOf(rows: readonly Row[]) {
  const over = (pick: (row: Row) => number[] | null, some = rows): Spread => {
    const measured = some.flatMap((row) => spread(pick(row)) ?? [])
    const mean = (value: (one: Spread) => number) =>
      measured.reduce((sum, one) => sum + value(one), 0) / Math.max(1, measured.length)
    return { median: mean(({ median }) => median), p90: mean(({ p90 }) => p90) }
  }
  const google = rows.filter(({ uses_google }) => uses_google)
  return {
    seconds: over(({ seconds }) => seconds),
    reads: over(({ reads }) => reads, google),
    writes: over(({ writes }) => writes, google),
  }
}
