import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { limits } from '../../../../contract/limits.ts'
import { rowSampleQuery } from '../api.ts'
import { sampleBody, type TaskValues } from './task-form.ts'

/** The first rows of the source, and what a run would make of them; read while `enabled`. */
export function useRowSample(values: TaskValues, enabled: boolean) {
  const [body] = useDebouncedValue(sampleBody(values), limits.sample_delay_ms)
  const { data, error, isFetching } = useQuery({
    ...rowSampleQuery(body),
    enabled: enabled && body !== null,
    placeholderData: keepPreviousData,
  })
  return { sample: data ?? undefined, error, isFetching, hasSource: body !== null }
}
