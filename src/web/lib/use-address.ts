import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { PendingUrlParams } from './pending-url-params.ts'

/**
 * Query parameters of the URL, and a setter. A change is applied to pending earlier changes, so that a search being typed is not
 * lost to a selection right after it.
 */
export function useAddress(): [
  URLSearchParams,
  (change: (before: URLSearchParams) => URLSearchParams) => void,
] {
  const [params, setParams] = useSearchParams()
  const [pending] = useState(() => new PendingUrlParams(params))
  useEffect(() => pending.arrive(params), [pending, params])
  return [params, (change) => setParams(pending.change(change), { replace: true })]
}
