import { useMutation } from '@tanstack/react-query'
import { compilerMessages } from '../../../../contract/compiler/client-messages.ts'
import type { CompilerConfig } from '../../../../contract/compiler/configs.ts'

import { compilerRecords } from '../../../../contract/compiler/records.ts'
import { limits } from '../../../../contract/limits.ts'
import { CallError } from '../../../lib/call.ts'
import { saveFile } from '../../../lib/save-file.ts'
import { toast } from '../../../ui/toast.ts'
import type { RecordFilters } from './record-filters.ts'

/** Downloads all records that match the filters as a CSV file. */
export const useExport = (config: CompilerConfig | null, filters: RecordFilters) =>
  useMutation({
    mutationFn: async (overrides: boolean) => {
      if (config === null) return toast.warning(compilerMessages.export_unchosen)
      await saveFile(compilerRecords.export, {
        query: {
          compiler_config_id: String(config.id),
          ...filters,
          ...(overrides && { overrides: 'true' as const }),
        },
      })
    },
    onError: (error) =>
      error instanceof CallError && error.code === 'nothing_to_export'
        ? toast.info(compilerMessages.no_data_to_export)
        : toast.error(compilerMessages.export_failed, limits.csv_toast_ms),
  })
