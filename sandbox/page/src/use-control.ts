import { useMutation, useQueryClient } from '@tanstack/react-query'
import { controlKey } from './control-api.ts'

/** Mutation of the control API that invalidates all control queries. */
export function useControl<T>(change: (argument: T) => Promise<unknown>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () => client.invalidateQueries({ queryKey: controlKey }),
  })
}
