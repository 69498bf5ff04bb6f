import { lazy, Suspense } from 'react'
import { lineageMessages as messages } from '../../../contract/lineage/client-messages.ts'
import { useAddress } from '../../lib/use-address.ts'
import { CellLinkForm } from '../../tasks/lineage/cell-link-form.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { EmptyState, LoadingRows } from '../../ui/states.tsx'
import { askedIn } from './api.ts'
import classes from './lineage-screen.module.css'

// Loaded on demand: it includes the number formats.
const FoundLineage = lazy(async () => ({
  default: (await import('./components/found-lineage.tsx')).FoundLineage,
}))

/** Where a cell comes from and where it ends up. The cell is in the address. */
export function LineageScreen() {
  const [params, changeAddress] = useAddress()
  const asked = askedIn(params)
  const link = asked?.link
  return (
    <>
      <PageHeader title={messages.title} />
      <div className={classes.page}>
        <CellLinkForm key={link} {...(link !== undefined && { link })} />
        {asked === null ? (
          <EmptyState title={messages.none} hint={messages.none_hint} />
        ) : (
          <Suspense fallback={<LoadingRows rows={6} label={messages.loading} />}>
            <FoundLineage
              asked={asked}
              onColumn={(column) =>
                changeAddress((before) => {
                  const next = new URLSearchParams(before)
                  next.set(asked.sku === undefined ? 'column' : 'field', column)
                  return next
                })
              }
            />
          </Suspense>
        )}
      </div>
    </>
  )
}
