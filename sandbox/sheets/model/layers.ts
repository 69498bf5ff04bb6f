import type { Area } from '../ranges/a1.ts'
import type { Json } from './json.ts'

/** A protected range. An `area` without bounds is the whole tab. */
export interface ProtectedRange {
  readonly protectedRangeId: number
  readonly area: Area
  /** Areas that all users may edit. */
  readonly unprotected: readonly Area[]
  readonly editors: {
    readonly users: readonly string[]
    readonly groups: readonly string[]
    readonly domainUsersCanEdit: boolean
  }
  readonly warningOnly: boolean
  readonly namedRangeId?: string
  readonly description?: string
}

/** A filter view; it does not hide rows from the API. `rest` is stored as given. */
export interface FilterView {
  readonly filterViewId: number
  readonly title: string
  readonly area: Area
  readonly rest: Json
}

/** Changed properties of a row or column. */
export interface DimensionProperties {
  readonly hiddenByUser?: boolean
  readonly pixelSize?: number
}

/** Objects attached to the cells of a tab that move with rows and columns. Immutable. */
export interface Layers {
  readonly merges: readonly Required<Area>[]
  readonly protectedRanges: readonly ProtectedRange[]
  readonly filterViews: readonly FilterView[]
  readonly rows: ReadonlyMap<number, DimensionProperties>
  readonly columns: ReadonlyMap<number, DimensionProperties>
}

export const noLayers: Layers = {
  merges: [],
  protectedRanges: [],
  filterViews: [],
  rows: new Map(),
  columns: new Map(),
}

/** True if the account may edit the range. The sandbox page (no account) always may. */
export function mayEdit(
  { owner }: { readonly owner: string },
  { editors, warningOnly }: ProtectedRange,
  by: string | undefined,
): boolean {
  if (warningOnly || by === undefined || by === owner || editors.users.includes(by)) return true
  return editors.domainUsersCanEdit && domainOf(by) === domainOf(owner)
}

function domainOf(email: string): string | undefined {
  return email.split('@')[1]
}
