import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { pipelineMessages as messages } from '../../../../contract/pipeline/client-messages.ts'
import { WarningNotice } from '../../../ui/warning-notice.tsx'
import { overridesQuery } from './overrides-query.ts'

/** Says that overrides of a configuration are for review; nothing if none is. */
export function ReviewsNotice({ config_id }: { config_id: number }) {
  const review = useQuery(overridesQuery(config_id, { state: 'review', page: 1 })).data?.counts.review ?? 0
  if (review === 0) return null
  return (
    <WarningNotice title={messages.for_review(review)}>
      <Link to={`/compiler/${config_id}/overrides?state=review`}>{messages.review_them}</Link>
    </WarningNotice>
  )
}
