/** The same rows in the order of `ids`; a row that they lack stays behind them. */
export function inOrder<Row extends { id: number }>(rows: readonly Row[], ids: readonly number[]): Row[] {
  const places = new Map(ids.map((id, place) => [id, place]))
  const placeOf = ({ id }: Row) => places.get(id) ?? ids.length
  return rows.toSorted((a, b) => placeOf(a) - placeOf(b))
}
