import { useMutation, useQueryClient } from '@tanstack/react-query'
import { controlKey } from './control-api.ts'

/** A change through the control API, after which everything shown is read again. */
export function useControl<T>(change: (argument: T) => Promise<unknown>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () => client.invalidateQueries({ queryKey: controlKey }),
  })
}
