import { sql } from 'kysely'
import type { BodyOf } from '../../../../contract/calls.ts'
import type { compilerDecisions } from '../../../../contract/decisions/calls.ts'
import { decisionServerMessages as messages } from '../../../../contract/decisions/server-messages.ts'
import { limits } from '../../../../contract/limits.ts'
import { type Actor, audit } from '../../../platform/audit.ts'
import { type Db, retriedTransaction, type Trx } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import { notify } from '../../../platform/notify.ts'
import { findColumn } from '../../../snapshots/column-names.ts'
import { taskObject } from '../../../tasks/task-identity.ts'
import { groupsOf, openDisagreements } from '../queries/disagreements.ts'
import { type CompiledVersion, readCompiled } from '../queries/version.ts'
import { lockConfig } from './set-overrides.ts'

const RULES_SHOWN = 20

type Wanted = { field: string; texts: string | null; text: string | null; source_task_id: number | null }
type Changed = { batch: number | null; set: number; replaced: number; unchanged: number; skipped: number }

const invalid = (field: string, message: string) => new NamedError('decision_invalid', { field, message })

/**
 * Decides which value is used where sources disagree, or which source is preferred. Throws NamedError `compiler_task_not_found` or
 * `decision_invalid`.
 */
export const setDecisions = (
  db: Db,
  actor: Actor,
  { id, values, sources, reason }: BodyOf<typeof compilerDecisions.decide> & { id: number },
): Promise<Changed> =>
  retriedTransaction(db, async (trx) => {
    const task_id = await lockConfig(trx, id)
    const version = await compiled(trx, id)
    const groups = await groupsOf(trx, id)
    const wanted: Wanted[] = values.map(({ texts: said, text, ...one }) => {
      const field = fieldOf(version, one.field)
      const group = groups.get(field)
      if (group) throw invalid('field', messages.field_grouped(field, group))
      const texts = [...new Set(said)].sort()
      if (texts.length < 2) throw invalid('texts', messages.same_texts)
      if (!texts.includes(text)) throw invalid('text', messages.text_other(text))
      return { field, texts: JSON.stringify(texts), text, source_task_id: null }
    })
    const ids = await sourcesOf(trx, id)
    for (const { source_task_id, ...one } of sources) {
      if (!ids.includes(source_task_id)) throw invalid('source_task_id', messages.source_other)
      wanted.push({ field: fieldOf(version, one.field), texts: null, text: null, source_task_id })
    }
    return { ...(await store(trx, actor, { id, task_id, wanted, reason })), skipped: 0 }
  })

/** Decides all open disagreements that match the filters. Throws as setDecisions does. */
export const decideSelection = (
  db: Db,
  actor: Actor,
  { id, filters, source_task_id, reason }: BodyOf<typeof compilerDecisions.decideSelection> & { id: number },
): Promise<Changed> =>
  retriedTransaction(db, async (trx) => {
    const task_id = await lockConfig(trx, id)
    const version = await compiled(trx, id)
    const groups = await groupsOf(trx, id)
    const number = version.sources.findIndex((source) => source.task_id === source_task_id) + 1
    if (source_task_id !== null && number === 0) throw invalid('source_task_id', messages.source_other)
    const open = await openDisagreements(trx, version, {
      ...filters,
      limit: limits.decisions_selected_max + 1,
    })
    if (open.length > limits.decisions_selected_max) throw invalid('filters', messages.select_too_many)
    const wanted = open.flatMap(({ field, texts, options }): Wanted[] => {
      // With several candidates, the choice does not say which value is meant.
      const candidates = options.filter(({ sources, wins }) =>
        source_task_id === null ? wins > 0 : sources.includes(number),
      )
      const [only] = candidates
      return only === undefined || candidates.length > 1 || groups.has(field)
        ? []
        : [{ field, texts: JSON.stringify(texts), text: only.text, source_task_id: null }]
    })
    return {
      ...(await store(trx, actor, { id, task_id, wanted, reason })),
      skipped: open.length - wanted.length,
    }
  })

/** Removes rules and returns how many. Throws NamedError `compiler_task_not_found`. */
export const removeDecisions = (
  db: Db,
  actor: Actor,
  { id, ids }: { id: number; ids: readonly number[] },
): Promise<{ removed: number }> =>
  retriedTransaction(db, async (trx) => {
    const task_id = await lockConfig(trx, id)
    const { rows } = await sql<{ id: number }>`
      update compiler_decisions set ended_at = now(), end_reason = 'removed', ended_by = ${actor.email}
      where compiler_config_id = ${id} and id = any (${[...ids]}::int[]) and ended_at is null returning id`.execute(
      trx,
    )
    if (rows.length > 0)
      await tell(trx, actor, {
        task_id,
        action: 'remove_decisions',
        details: { ids: rows.map((one) => one.id) },
      })
    return { removed: rows.length }
  })

/** Undoes a change: its live rules end, and those that they replaced apply again. Throws NamedError `compiler_task_not_found`. */
export const undoDecisions = (
  db: Db,
  actor: Actor,
  { id, batch }: { id: number; batch: number },
): Promise<{ ended: number; restored: number }> =>
  retriedTransaction(db, async (trx) => {
    const task_id = await lockConfig(trx, id)
    const { rows: ended } = await sql<{ replaces: number | null }>`
      update compiler_decisions set ended_at = now(), end_reason = 'undone', ended_by = ${actor.email}
      where compiler_config_id = ${id} and batch = ${batch} and ended_at is null returning replaces`.execute(
      trx,
    )
    const former = ended.flatMap(({ replaces }) => replaces ?? [])
    const { rows: restored } = await sql<{ id: number }>`
      update compiler_decisions set ended_at = null, end_reason = null, ended_by = null
      where id = any (${former}::int[]) and end_reason = 'replaced' returning id`.execute(trx)
    const counts = { ended: ended.length, restored: restored.length }
    if (ended.length > 0)
      await tell(trx, actor, { task_id, action: 'undo_decisions', details: { batch, ...counts } })
    return counts
  })

async function compiled(trx: Trx, id: number): Promise<CompiledVersion> {
  const version = await readCompiled(trx, id)
  if (version === null) throw invalid('field', messages.not_compiled)
  return version
}

function fieldOf({ fields }: CompiledVersion, name: string): string {
  const field = fields[findColumn(fields, name)]
  if (field === undefined) throw invalid('field', messages.field_unknown(name))
  return field
}

async function sourcesOf(trx: Trx, id: number): Promise<number[]> {
  const sources = await trx
    .selectFrom('compiler_sources')
    .select('source_task_id')
    .where('compiler_config_id', '=', id)
    .execute()
  return sources.map(({ source_task_id }) => source_task_id)
}

type Change = { id: number; task_id: number; wanted: readonly Wanted[]; reason: string }
type Live = Wanted & { id: number; reason: string }

const keyOf = ({ field, texts }: Wanted) => JSON.stringify([field, texts])

/** Stores rules in place of the live ones about the same. Equal ones stay as they are. */
async function store(
  trx: Trx,
  actor: Actor,
  { id, task_id, wanted, reason }: Change,
): Promise<Omit<Changed, 'skipped'>> {
  const keys = new Set<string>()
  for (const one of wanted) {
    if (keys.has(keyOf(one))) throw invalid('field', messages.twice(one.field))
    keys.add(keyOf(one))
  }
  const live = new Map((await readLive(trx, id, wanted)).map((one) => [keyOf(one), one]))
  const entries = wanted.flatMap((one) => {
    const former = live.get(keyOf(one))
    const isSame =
      former?.text === one.text && former.source_task_id === one.source_task_id && former.reason === reason
    return isSame ? [] : [{ ...one, replaces: former?.id ?? null }]
  })
  const unchanged = wanted.length - entries.length
  if (entries.length === 0) return { batch: null, set: 0, replaced: 0, unchanged }
  const replaced = entries.flatMap(({ replaces }) => replaces ?? [])
  await requireRoom(trx, id, entries.length - replaced.length)
  await sql`
    update compiler_decisions set ended_at = now(), end_reason = 'replaced', ended_by = ${actor.email}
    where id = any (${replaced}::int[])`.execute(trx)
  const { rows } = await sql<{ batch: number }>`select nextval('decision_batches')::int as batch`.execute(trx)
  const batch = rows[0]?.batch ?? 0
  await sql`
    insert into compiler_decisions (compiler_config_id, field, texts, text, source_task_id, reason, author_id, author, batch, replaces)
    select ${id}::int, field, texts, text, source_task_id, ${reason}::text, ${actor.id}::int, ${actor.email}::text, ${batch}::int, replaces
    from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb)
      w (field text, texts text, text text, source_task_id int, replaces int)`.execute(trx)
  const counts = { batch, set: entries.length, replaced: replaced.length }
  const rules = entries.slice(0, RULES_SHOWN).map(({ replaces: _, ...rule }) => rule)
  await tell(trx, actor, { task_id, action: 'set_decisions', details: { ...counts, reason, rules } })
  return { ...counts, unchanged }
}

/** The live rules about the same fields and values. Index: compiler_decisions_live_idx. */
async function readLive(trx: Trx, id: number, wanted: readonly Wanted[]): Promise<Live[]> {
  const { rows } = await sql<Live>`
    select d.id, d.field, d.texts, d.text, d.source_task_id, d.reason
    from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) w (field text, texts text)
    join compiler_decisions d on d.compiler_config_id = ${id} and d.ended_at is null and md5(d.field) = md5(w.field)
      and md5(coalesce(d.texts, '')) = md5(coalesce(w.texts, ''))`.execute(trx)
  return rows
}

async function requireRoom(trx: Trx, id: number, more: number): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from compiler_decisions where compiler_config_id = ${id} and ended_at is null`.execute(
    trx,
  )
  if ((rows[0]?.count ?? 0) + more > limits.decisions_max) throw invalid('values', messages.too_many)
}

async function tell(
  trx: Trx,
  actor: Actor,
  { task_id, action, details }: { task_id: number; action: string; details: Record<string, unknown> },
): Promise<void> {
  await audit(trx, actor, { action, ...taskObject('compiler', task_id), details })
  await notify(trx, { kind: 'tasks', task_ids: [task_id] })
}
