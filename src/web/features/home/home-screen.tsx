import { IconAlertCircle, IconArrowRight, IconRefresh, IconUsers } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { Link, useSearchParams } from 'react-router'
import { homeMessages } from '../../../contract/home/client-messages.ts'

import { useSession } from '../../lib/session.ts'
import { isTurbo } from '../../ui/brand.ts'
import { signInProblem } from './components/sign-in-problem.ts'
import classes from './home-screen.module.css'

const PipelineOverview = lazy(async () => ({
  default: (await import('./components/pipeline-overview.tsx')).PipelineOverview,
}))

/** Landing page: introduction, version and links; with a session, the status of the pipeline. */
export function HomeScreen() {
  const session = useSession()
  const [search] = useSearchParams()
  const problem = search.get('sign_in_error')
  return (
    <div className={classes.page} data-brief={session?.authenticated || undefined}>
      <title>Rowferry</title>
      {problem !== null && (
        <p className={classes.problem} role="alert">
          <IconAlertCircle size={18} aria-hidden /> {signInProblem(problem)}
        </p>
      )}
      <section className={classes.hero}>
        <h1 className="heading">
          Rowferry {isTurbo(location.hostname) && <span className={classes.turbo}>Turbo</span>}{' '}
          {session && <span className={classes.version}>v{session.version}</span>}
        </h1>
        <p>{homeMessages.subtitle}</p>
      </section>
      {session?.authenticated && (
        <Suspense fallback={<div className={classes.coming} />}>
          <PipelineOverview />
        </Suspense>
      )}
      <div className={classes.cards}>
        <Link to="/sync_tasks" className={classes.card}>
          <IconRefresh size={22} aria-hidden />
          <span>
            <b>Sync Tasks</b>
            {homeMessages.card_sync_tasks}
          </span>
          <IconArrowRight size={18} aria-hidden />
        </Link>
        <Link to="/users" className={classes.card}>
          <IconUsers size={22} aria-hidden />
          <span>
            <b>View Users</b>
            {homeMessages.card_users}
          </span>
          <IconArrowRight size={18} aria-hidden />
        </Link>
      </div>
    </div>
  )
}
