import { tokenMessages as messages } from '../../../../contract/tokens/client-messages.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import classes from './tokens.module.css'

/** A newly created token; it is shown only once. */
export function MadeToken({ token }: { token: string }) {
  return (
    <section className={classes.made} aria-label={messages.made}>
      <h2 tabIndex={-1} ref={(heading) => heading?.focus()}>
        {messages.made}
      </h2>
      <p>{messages.made_hint}</p>
      <p className={classes.line}>
        <code>{token}</code>
        <CopyButton text={token} copied={messages.copied}>
          Copy
        </CopyButton>
      </p>
      <p>{messages.try_it}</p>
      <pre>{`curl -H "Authorization: Bearer ${token}" ${location.origin}/api/sync_tasks`}</pre>
    </section>
  )
}
