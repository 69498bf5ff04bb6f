import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { FieldName } from '../field-checks/field-checks.ts'
import { digits, Id, IdParams } from '../fields.ts'
import { limits } from '../limits.ts'
import { Decision, Disagreement, Dispute } from './decisions.ts'
import { decisionFieldMessages as messages } from './field-messages.ts'

const Text = z.string().check(z.trim(), z.normalize('NFC'), z.minLength(1))
const Reason = z._default(
  z.string().check(z.trim(), z.maxLength(limits.description_characters, messages.reason_long)),
  '',
)

const filters = {
  field: z.optional(z.string().check(z.maxLength(limits.field_name_characters))),
  /** A source that has one of the values. */
  source: z.optional(digits('source', 1, 2_147_483_647)),
  /** Part of one of the values, ignoring case. */
  text: z.optional(z.string().check(z.maxLength(limits.search_characters))),
}

const page = {
  limit: z._default(digits('limit', 1, limits.disagreements_page_max), limits.compiled_page_size),
  offset: z._default(digits('offset', 0, 10_000_000), 0),
}

const pageReply = {
  total_count: z.int(),
  limit: z.int(),
  offset: z.int(),
  has_next: z.boolean(),
  has_prev: z.boolean(),
}

/** What a change of rules did. */
const Changed = z.object({
  /** The change, for undo; null: nothing was changed. */
  batch: z.nullable(Id),
  set: z.int(),
  replaced: z.int(),
  unchanged: z.int(),
  /** Of a selection: disagreements that the choice does not decide. */
  skipped: z.int(),
})

const path = '/api/compiler/configs/:id'

/** API calls for fields about which sources disagree, and the rules that decide them. */
export const compilerDecisions = {
  disagreements: {
    method: 'GET',
    path: `${path}/disagreements`,
    summary: 'Different values of sources for one field, the most frequent first; all filters must match',
    params: IdParams,
    query: z.strictObject({
      /** `open`: without a rule. */
      state: z._default(z.enum(['open', 'decided', 'all']), 'open'),
      ...filters,
      ...page,
    }),
    reply: z.object({
      data: z.array(Disagreement),
      ...pageReply,
      /** Of all: disagreements and rules. */
      counts: z.object({ open: z.int(), decided: z.int(), rules: z.int() }),
      /** Values of the filters. */
      fields: z.array(z.string()),
      sources: z.array(z.object({ source_task_id: Id, name: z.string() })),
    }),
  },
  disputes: {
    method: 'GET',
    path: `${path}/disputes`,
    summary: 'Sources that disagree about a field, whatever the values are, the most frequent first',
    params: IdParams,
    query: z.strictObject({ field: filters.field, source: filters.source, ...page }),
    reply: z.object({ data: z.array(Dispute), ...pageReply }),
  },
  decisions: {
    method: 'GET',
    path: `${path}/decisions`,
    summary: 'Rules that were decided where sources disagree, the newest first',
    params: IdParams,
    query: z.strictObject({
      state: z._default(z.enum(['live', 'ended', 'all']), 'live'),
      field: filters.field,
      text: filters.text,
      ...page,
    }),
    reply: z.object({ data: z.array(Decision), ...pageReply, fields: z.array(z.string()) }),
  },
  decide: {
    method: 'PUT',
    path: `${path}/decisions`,
    summary:
      'Decide which value is used where sources disagree, or which source is preferred for a field, from the next compile on',
    params: IdParams,
    body: z
      .strictObject({
        values: z._default(
          z
            .array(
              z.strictObject({
                field: FieldName,
                /** All values that disagree. */
                texts: z
                  .array(Text)
                  .check(z.minLength(2, messages.texts_few), z.maxLength(limits.compiler_sources_max)),
                /** The one that is used. */
                text: Text,
              }),
            )
            .check(z.maxLength(limits.decisions_at_once)),
          [],
        ),
        sources: z._default(
          z
            .array(z.strictObject({ field: FieldName, source_task_id: Id }))
            .check(z.maxLength(limits.decisions_at_once)),
          [],
        ),
        reason: Reason,
      })
      .check(z.refine(({ values, sources }) => values.length + sources.length > 0, messages.nothing_decided)),
    reply: Changed,
  },
  decideSelection: {
    method: 'POST',
    path: `${path}/decisions/selection`,
    summary:
      'Decide all open disagreements that match the filters: for the value of one source, or for the values that the records have now',
    params: IdParams,
    body: z.strictObject({
      filters: z.strictObject(filters),
      /** Null: the values that the records have now. */
      source_task_id: z.nullable(Id),
      reason: Reason,
    }),
    reply: Changed,
  },
  remove: {
    method: 'POST',
    path: `${path}/decisions/remove`,
    summary: 'Remove rules from the next compile on; others that have ended are skipped',
    params: IdParams,
    body: z.strictObject({ ids: z.array(Id).check(z.minLength(1), z.maxLength(limits.decisions_at_once)) }),
    reply: z.object({ removed: z.int() }),
  },
  undoDecisions: {
    method: 'POST',
    path: `${path}/decisions/undo`,
    summary: 'Undo a change of rules: its live ones end, and those that they replaced apply again',
    params: IdParams,
    body: z.strictObject({ batch: Id }),
    reply: z.object({ ended: z.int(), restored: z.int() }),
  },
} satisfies Calls
