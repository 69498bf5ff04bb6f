import { queryOptions } from '@tanstack/react-query'
import { compilerCompleteness } from '../../../../contract/completeness/calls.ts'
import { completenessMessages } from '../../../../contract/completeness/client-messages.ts'
import { call } from '../../../lib/call.ts'

/** Completeness of the records of a configuration by target. */
export const completenessQuery = (compiler_config_id: number) =>
  queryOptions({
    queryKey: [compilerCompleteness.completeness.path, compiler_config_id] as const,
    queryFn: ({ signal }) =>
      call(compilerCompleteness.completeness, {
        query: { compiler_config_id: String(compiler_config_id) },
        signal,
      }),
    meta: { failure: completenessMessages.load_failed },
  })
