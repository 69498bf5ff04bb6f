import classes from './titled-task.module.css'

/** A title, followed by its detail in a lighter, smaller type. */
export const TitledTask = ({ title, detail }: { title: string; detail: string }) => (
  <>
    {title}
    {detail && <span className={classes.detail}> {detail}</span>}
  </>
)
