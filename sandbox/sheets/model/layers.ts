import type { Area } from '../ranges/a1.ts'
import type { Json } from './json.ts'

/** Cells that only some may edit. An `area` without sides is the whole tab. */
export interface ProtectedRange {
  readonly protectedRangeId: number
  readonly area: Area
  /** Parts of it that everybody may edit. */
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

/** A view that somebody may look through; it hides nothing from the API. `rest` is kept as given. */
export interface FilterView {
  readonly filterViewId: number
  readonly title: string
  readonly area: Area
  readonly rest: Json
}

/** What somebody changed about a row or column. */
export interface DimensionProperties {
  readonly hiddenByUser?: boolean
  readonly pixelSize?: number
}

/** What lies over the cells of a tab and moves with its rows and columns. Never changed in place. */
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

/** Whether that account may change what is in the range; the sandbox's own page (no account) may. */
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
