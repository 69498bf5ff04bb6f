import type { RecordChange } from '../../../../contract/compiler/changes.ts'
import type { BlockRecord } from '../../../snapshots/record-blocks.ts'
import type { BothVersions, ChangedRecord } from './changed-records.ts'
import type { CompiledVersion } from './version.ts'

/**
 * The fields that differ between both versions of a record, in the order of the fields; former fields come last. None if it is unknown
 * how the record was.
 */
export function fieldChanges(
  { now, before }: ChangedRecord,
  { version, earlier }: BothVersions,
): RecordChange[] {
  if (before === undefined) return []
  const names = [...version.fields, ...earlier.fields.filter((name) => !version.fields.includes(name))]
  return names.flatMap((field): RecordChange[] => {
    const [is, was] = [fieldOf(now, version, field), fieldOf(before, earlier, field)]
    if (is.value === was.value) return []
    const source = is.source ?? was.source
    return [
      {
        kind: 'changed',
        sku: now.sku,
        field,
        before: { value: was.value, number_format: was.number_format },
        after: { value: is.value, number_format: is.number_format },
        sources: source ? [{ source_task_id: source.task_id, name: source.name }] : [],
      },
    ]
  })
}

function fieldOf(record: BlockRecord, { fields, sources, formats }: CompiledVersion, field: string) {
  const n = fields.indexOf(field)
  if (n < 0) return { value: null, number_format: null, source: undefined }
  return {
    value: record.cells[n + 1] ?? null,
    number_format: formats.ofField(n, record),
    source: sources[(record.field_sources[n] ?? 0) - 1],
  }
}
