import { compilerMessages } from '../../../../contract/compiler/client-messages.ts'
import type { CompilerConfig } from '../../../../contract/compiler/configs.ts'

import type { FilterName, RecordFilters } from './record-filters.ts'

type Sources = Pick<CompilerConfig, 'source_task_ids' | 'source_names'>
type Chosen = { labels: string; without: RecordFilters }

/** Labels of active filters that have no control, each with the filters that remain without it. */
export function chosenFilters(filters: RecordFilters, { source_task_ids, source_names }: Sources): Chosen[] {
  const { not_in_master, failed_check, disagreement, incomplete_for, blank_field, filled_by, field, change } =
    filters
  const nameOf = (id: string) =>
    source_names[source_task_ids.indexOf(Number(id))] ?? compilerMessages.source_numbered(id)
  const without = (...gone: FilterName[]): RecordFilters =>
    Object.fromEntries(Object.entries(filters).filter(([name]) => !gone.some((one) => one === name)))
  const chosen: Chosen[] = []
  if (not_in_master)
    chosen.push({
      labels: not_in_master === 'true' ? compilerMessages.not_in_master : compilerMessages.in_master,
      without: without('not_in_master'),
    })
  if (failed_check)
    chosen.push({
      labels: compilerMessages.failed_check(Number(failed_check) + 1),
      without: without('failed_check'),
    })
  if (disagreement) chosen.push({ labels: compilerMessages.disagreeing, without: without('disagreement') })
  if (incomplete_for) chosen.push({ labels: compilerMessages.incomplete, without: without('incomplete_for') })
  if (blank_field)
    chosen.push({
      labels: compilerMessages.blank_field(String(blank_field)),
      without: without('blank_field'),
    })
  if (filled_by)
    chosen.push({
      labels: compilerMessages.filled_by(
        nameOf(String(filled_by)),
        field === undefined ? field : String(field),
      ),
      without: without('filled_by', 'field'),
    })
  if (change) chosen.push({ labels: compilerMessages.since_last[change], without: without('change') })
  return chosen
}
