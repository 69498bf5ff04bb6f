const PARAM = 'run'

/** The address with a run's report open, or without one (null). */
export function withRun(params: URLSearchParams, id: number | null): string {
  const next = new URLSearchParams(params)
  if (id === null) next.delete(PARAM)
  else next.set(PARAM, String(id))
  return `/runs${next.size > 0 ? `?${next}` : ''}`
}

/** The run whose report is open; null: none. */
export function runIn(params: URLSearchParams): number | null {
  const text = params.get(PARAM) ?? ''
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null
}
