// biome-ignore-all lint/suspicious/noArrayIndexKey: uses never move

import { Link } from 'react-router'
import type { Lineage } from '../../../../contract/lineage/calls.ts'
import { lineageMessages as messages } from '../../../../contract/lineage/client-messages.ts'
import { lineagePath } from '../../../tasks/lineage/lineage-path.ts'
import classes from './lineage.module.css'
import { Place, TaskLink } from './links.tsx'

/** The records and cells of targets in which a cell ends up. */
export const LineageUses = ({ lineage: { uses, has_more_uses } }: { lineage: Lineage }) => (
  <section className={classes.card} aria-label={messages.uses}>
    <h3>{messages.uses}</h3>
    {uses.length === 0 && <p className={classes.muted}>{messages.no_uses}</p>}
    <ul className={classes.uses}>
      {uses.map((use, n) => (
        <li key={n}>
          {use.record === null ? (
            <Place place={use} />
          ) : (
            <Link to={lineagePath({ compiler_config_id: use.task.id, ...use.record })}>{use.text}</Link>
          )}
          {use.link !== null && (
            <span className={classes.muted}>
              {' '}
              (<TaskLink task={use.task} />)
            </span>
          )}
        </li>
      ))}
    </ul>
    {has_more_uses && <p className={classes.muted}>{messages.more_uses}</p>}
  </section>
)
