import { sql } from 'kysely'
import { isBlankValue } from '../../../../contract/field-checks/field-rules.ts'
import { limits } from '../../../../contract/limits.ts'
import { overrideServerMessages as messages } from '../../../../contract/overrides/server-messages.ts'
import type { CellValue } from '../../../../contract/tables.ts'
import { type Actor, audit } from '../../../platform/audit.ts'
import { type Db, retriedTransaction, type Trx } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import { notify } from '../../../platform/notify.ts'
import { findColumn } from '../../../snapshots/column-names.ts'
import { taskObject, taskOfConfig } from '../../../tasks/task-identity.ts'
import { readCells } from '../queries/override-cells.ts'
import { type CompiledVersion, readCompiled } from '../queries/version.ts'

/** An override to set. `replaces`: the live override that the caller saw, null for none; omitted: any. */
export type WantedOverride = {
  sku: string
  field: string
  value: CellValue
  reason: string
  ends_on: string | null
  replaces?: number | null | undefined
}

type Live = { id: number; author: string; value: CellValue; reason: string; ends_on: string | null }

/** What a change sets: for each wanted override the live one that it replaces, and what is known of its cell. */
type OverrideChange = {
  entries: (WantedOverride & {
    live: Live | null
    before: CellValue
    accepted: Record<string, CellValue> | null
    has_record: boolean
  })[]
  unchanged: number
}

type Changed = { batch: number | null; set: number; replaced: number; unchanged: number }
type Wanted = { config_id: number; zone: string; overrides: readonly WantedOverride[] }

/**
 * Sets values for fields of SKUs. Overrides equal to live ones stay as they are. Throws NamedError `compiler_task_not_found`,
 * `override_invalid`, or `override_changed` if another override than `replaces` is live.
 */
export const setOverrides = (db: Db, actor: Actor, wanted: Wanted): Promise<Changed> =>
  retriedTransaction(db, async (trx) => {
    const task_id = await lockConfig(trx, wanted.config_id)
    return storeChange(trx, actor, { ...wanted, task_id, change: await planChange(trx, wanted) })
  })

/** Locks a configuration against other changes of its overrides, marks the tasks that read it as changed, and returns its task. */
export async function lockConfig(trx: Trx, config_id: number): Promise<number> {
  const task_id = await taskOfConfig(trx, config_id)
  await sql`select touch_readers(array[${task_id}::int])`.execute(trx)
  return task_id
}

/** The current records of a configuration. Throws NamedError `override_invalid` if there are none. */
export async function compiledFor(db: Db, config_id: number): Promise<CompiledVersion> {
  const version = await readCompiled(db, config_id)
  if (version === null)
    throw new NamedError('override_invalid', { message: messages.not_compiled, field: 'field' })
  return version
}

/** The field that is meant, as the records name it; null: they have no such field. */
export const fieldNamed = ({ fields }: CompiledVersion, name: string): string | null =>
  fields[findColumn(fields, name)] ?? null

/** Plans a change without storing it. Throws as setOverrides does. */
export async function planChange(db: Db, { config_id, zone, overrides }: Wanted): Promise<OverrideChange> {
  const version = await compiledFor(db, config_id)
  const invalid = (field: string, message: string) => new NamedError('override_invalid', { field, message })
  const seen = new Set<string>()
  await requireDays(db, zone, overrides)
  const wanted = overrides.map((override) => {
    const field = fieldNamed(version, override.field)
    if (field === null) throw invalid('field', messages.field_unknown(override.field))
    const key = JSON.stringify([override.sku, field])
    if (seen.has(key)) throw invalid('sku', messages.twice(override.sku, field))
    seen.add(key)
    return { ...override, field, value: isBlankValue(override.value) ? null : override.value }
  })
  const live = await readLive(db, config_id, wanted)
  const entries: OverrideChange['entries'] = []
  const cells = await readCells(
    db,
    version,
    wanted.map(({ sku, field }) => ({ sku, field: version.fields.indexOf(field) })),
  )
  for (const [n, one] of wanted.entries()) {
    const current = live[n] ?? null
    if (current !== null && isEqual(current, one)) continue
    if (one.replaces !== undefined && one.replaces !== (current?.id ?? null))
      throw new NamedError('override_changed', { message: messages.changed(current?.author ?? '') })
    const known = cells[n] ?? null
    entries.push({
      ...one,
      live: current,
      before: known?.value ?? null,
      accepted: known?.accepted ?? null,
      has_record: known !== null,
    })
  }
  return { entries, unchanged: wanted.length - entries.length }
}

const isEqual = (live: Live, { value, reason, ends_on }: WantedOverride) =>
  live.value === value && live.reason === reason && live.ends_on === ends_on

async function requireDays(db: Db, zone: string, overrides: readonly WantedOverride[]): Promise<void> {
  const days = [...new Set(overrides.flatMap(({ ends_on }) => ends_on ?? []))]
  if (days.length === 0) return
  const { rows } = await sql<{ day: string }>`
    select day from unnest(${days}::text[]) day where day::date < (now() at time zone ${zone}::text)::date`.execute(
    db,
  )
  const [over] = rows
  if (over)
    throw new NamedError('override_invalid', { field: 'ends_on', message: messages.ends_on_over(over.day) })
}

/** The live override of each cell, in the same order. Index: compiler_overrides_cell_idx. */
async function readLive(
  db: Db,
  config_id: number,
  cells: readonly { sku: string; field: string }[],
): Promise<(Live | null)[]> {
  const { rows } = await sql<Live & { place: number }>`
    select w.place::int as place, o.id, o.author, o.value, o.reason, o.ends_on::text as ends_on
    from unnest(${cells.map(({ sku }) => sku)}::text[], ${cells.map(({ field }) => field)}::text[])
      with ordinality w (sku, field, place)
    join compiler_overrides o on o.compiler_config_id = ${config_id} and md5(o.sku) = md5(w.sku)
      and md5(o.field) = md5(w.field) and o.state <> 'ended'`.execute(db)
  const found = new Map(rows.map(({ place, ...live }) => [place, live]))
  return cells.map((_, n) => found.get(n + 1) ?? null)
}

/** Stores a planned change in the transaction that planned it. */
export async function storeChange(
  trx: Trx,
  actor: Actor,
  { config_id, task_id, change }: { config_id: number; task_id: number; change: OverrideChange },
): Promise<Changed> {
  const { entries, unchanged } = change
  if (entries.length === 0) return { batch: null, set: 0, replaced: 0, unchanged }
  const replaced = entries.flatMap(({ live }) => live?.id ?? [])
  await requireRoom(trx, config_id, entries.length - replaced.length)
  const batch = await nextBatch(trx)
  await sql`
    update compiler_overrides set state = 'ended', ended_at = now(), end_reason = 'replaced', ended_by = ${actor.email}
    where id = any (${replaced}::int[])`.execute(trx)
  const stored = entries.map(({ sku, field, value, reason, ends_on, accepted, live }) => ({
    ...{ sku, field, value, reason, ends_on, accepted },
    replaces: live?.id ?? null,
  }))
  await sql`
    insert into compiler_overrides (compiler_config_id, sku, field, value, reason, ends_on, accepted, author_id, author, batch, replaces)
    select ${config_id}::int, w ->> 'sku', w ->> 'field', w -> 'value', w ->> 'reason', (w ->> 'ends_on')::date,
      nullif(w -> 'accepted', 'null'), ${actor.id}::int, ${actor.email}::text, ${batch}::int, (w ->> 'replaces')::int
    from jsonb_array_elements(${JSON.stringify(stored)}::jsonb) with ordinality e (w, place) order by place`.execute(
    trx,
  )
  const details = {
    batch,
    set: entries.length,
    replaced: replaced.length,
    values: stored
      .slice(0, limits.overrides_shown)
      .map(({ sku, field, value, reason, ends_on }) => ({ sku, field, value, reason, ends_on })),
  }
  await audit(trx, actor, { action: 'set_overrides', ...taskObject('compiler', task_id), details })
  await notify(trx, { kind: 'tasks', task_ids: [task_id] })
  return { batch, set: entries.length, replaced: replaced.length, unchanged }
}

/** Numbers a change of overrides. */
export async function nextBatch(trx: Trx): Promise<number> {
  const { rows } = await sql<{ batch: number }>`select nextval('override_batches')::int as batch`.execute(trx)
  return rows[0]?.batch ?? 0
}

async function requireRoom(trx: Trx, config_id: number, more: number): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from compiler_overrides where compiler_config_id = ${config_id} and state <> 'ended'`.execute(
    trx,
  )
  if ((rows[0]?.count ?? 0) + more > limits.overrides_max)
    throw new NamedError('override_invalid', { message: messages.too_many })
}
