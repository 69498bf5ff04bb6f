const escaped = (value: unknown) => encodeURIComponent(String(value))

/** URL of a declared path, with its parameters and query. Array values are repeated query parameters. */
export function addressOf(path: string, params: object = {}, query: object = {}): string {
  const values = new Map(Object.entries(params))
  const filled = path.replace(/:(\w+)/g, (_, name: string) => escaped(values.get(name)))
  const search = Object.entries(query)
    .flatMap(([name, value]) => (Array.isArray(value) ? value : [value]).map((one) => [name, one]))
    .filter(([, value]) => value !== undefined)
    .map((pair) => pair.map(escaped).join('='))
    .join('&')
  return search === '' ? filled : `${filled}?${search}`
}
