import type { Calls } from '../calls.ts'
import { AnyImportReply } from '../csv-jobs/calls.ts'
import { limits } from '../limits.ts'

/** API calls for compiler configurations in CSV files. */
export const compilerFiles = {
  importConfigs: {
    method: 'POST',
    path: '/api/compiler/configs/import_csv',
    summary:
      'Add and change compiler configurations from a CSV file; a row identifies a configuration by name. Lists are JSON, in which sources have their names',
    upload: { field: 'file', max_bytes: limits.csv_bytes },
    reply: AnyImportReply,
  },
  exportConfigs: {
    method: 'GET',
    path: '/api/compiler/configs/export_csv',
    summary:
      'All compiler configurations with their checks, normalisation, priorities, limits and SKU mappings as CSV, in the format of an import',
    download: { content_type: 'text/csv; charset=utf-8', filename: 'compiler_configs.csv' },
  },
} satisfies Calls
