import { IconArrowsExchange, IconBolt } from '@tabler/icons-react'
import { isTurbo } from './brand.ts'
import classes from './logo.module.css'

/** The product's logo and name; the turbo variant has its own logo and a red label. */
export function Logo({ host }: { host: string }) {
  const turbo = isTurbo(host)
  const Mark = turbo ? IconBolt : IconArrowsExchange
  return (
    <>
      <span className={classes.mark} data-turbo={turbo || undefined}>
        <Mark size={19} stroke={2.2} aria-hidden />
      </span>
      <span className={classes.name}>Rowferry {turbo && <span className={classes.turbo}>Turbo</span>}</span>
    </>
  )
}
