import { expect, test } from 'vitest'
import { errors } from '../errors.ts'
import { fieldMessages } from '../field-messages.ts'
import { taskMessages } from '../tasks/client-messages.ts'
import { sourceMessages } from './client-messages.ts'

// Sections 2, 5 and 8 of the specification's second document.
test.each<[ours: string, theirs: string]>([
  [fieldMessages.name_required, 'Name is required'],
  [sourceMessages.type_required, 'Type is required'],
  [sourceMessages.source_type_required, 'Source Type is required'],
  [sourceMessages.chunk_size_low, 'Chunk Size must be ≥ 1'],
  [sourceMessages.identifier_invalid, 'Identifier must be 2–60 chars (alphanumeric, _, -)'],
  [sourceMessages.description_long, 'Description must be 512 characters or less'],
  [sourceMessages.spreadsheet_required, 'Source Spreadsheet ID required'],
  [sourceMessages.sheet_name_required, 'Source Sheet Name required'],
  [fieldMessages.spreadsheet_id_short, 'Spreadsheet ID looks too short'],
  [sourceMessages.csv_extension, 'File must have .csv extension'],
  [sourceMessages.csv_too_large, 'File too large (5MB max)'],
  [sourceMessages.csv_none, 'Select a CSV file'],
  [sourceMessages.save_failed, 'Save failed'],
  [sourceMessages.created, 'Source task created'],
  [sourceMessages.updated, 'Source task updated'],
  [sourceMessages.deleted, 'Task deleted'],
  [sourceMessages.reordered(7), 'Reordered 7 tasks'],
  [sourceMessages.import_completed, 'Import completed'],
  [taskMessages.logs_cleared, 'Logs cleared successfully'],
  [sourceMessages.export_failed, 'Export failed'],
  [sourceMessages.reorder_failed, 'Failed to reorder tasks'],
  [sourceMessages.delete_failed, 'Failed to delete task'],
  [taskMessages.clear_logs_failed, 'Failed to clear logs'],
  [sourceMessages.import_invalid, 'Import failed (validation)'],
  [sourceMessages.import_failed, 'Import failed'],
  [sourceMessages.import_polling_failed, 'Import polling failed'],
  [sourceMessages.load_failed, 'Failed to load data'],
  [sourceMessages.no_data, 'No data available for this task yet'],
  [errors.no_data.message, 'No data available for this task yet'],
  [sourceMessages.polling_timed_out, 'Polling timed out'],
  [sourceMessages.errors_cut(150), 'Showing first 100 of 150 errors…'],
  [sourceMessages.no_type, '(No Type Assigned)'],
  [sourceMessages.master, 'Master'],
  [sourceMessages.master_catalog, '★ Master'],
])('%s', (ours, theirs) => {
  expect(ours).toBe(theirs)
})
