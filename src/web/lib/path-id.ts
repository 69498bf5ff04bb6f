import { useParams } from 'react-router'
import { IdParams } from '../../contract/fields.ts'

/** The id in the URL, which may have other parameters; null if it is not valid. */
export function usePathId(): number | null {
  const { id } = useParams()
  const params = IdParams.safeParse({ id })
  return params.success ? params.data.id : null
}
