import { Button } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { tokenMessages as messages } from '../../../../contract/token-messages.ts'
import { toast } from '../../../ui/toast.ts'
import classes from './tokens.module.css'

/** A token that was just made: the only time that it is shown. */
export function MadeToken({ token }: { token: string }) {
  return (
    <section className={classes.made} aria-label={messages.made}>
      <h2 tabIndex={-1} ref={(heading) => heading?.focus()}>
        {messages.made}
      </h2>
      <p>{messages.made_hint}</p>
      <p className={classes.line}>
        <code>{token}</code>
        {/* browsers give the clipboard to pages behind https, or on this machine, only */}
        {window.isSecureContext && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconCopy size={15} aria-hidden />}
            onClick={async () => {
              await navigator.clipboard.writeText(token)
              toast.success(messages.copied)
            }}
          >
            Copy
          </Button>
        )}
      </p>
      <p>{messages.try_it}</p>
      <pre>{`curl -H "Authorization: Bearer ${token}" ${location.origin}/api/sync_tasks`}</pre>
    </section>
  )
}
