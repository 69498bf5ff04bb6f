import { useParams } from 'react-router'
import { IdParams } from '../../contract/fields.ts'

/** The id in the address; null when it is not one. */
export function usePathId(): number | null {
  const params = IdParams.safeParse(useParams())
  return params.success ? params.data.id : null
}
