import { Kbd } from '@mantine/core'
import { keyMessages as messages } from '../../../../contract/search/dialog-messages.ts'
import { setSingleKeys, useSingleKeys } from '../../../lib/single-keys.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import {
  isSingleKey,
  keyLabel,
  keyLabels,
  type Shortcut,
  type ShortcutName,
  type ShortcutScope,
  shortcuts,
} from '../../../ui/shortcuts.ts'
import { Switch } from '../../../ui/switch.tsx'
import classes from './keys-dialog.module.css'

const labels: Record<ShortcutName, string> = messages.does
const scopes: Record<ShortcutScope, string> = messages.scopes

// Object.entries gives the keys of an object as plain strings.
const isName = (name: string): name is ShortcutName => name in shortcuts
const all = Object.keys(shortcuts).filter(isName)

/** All keyboard shortcuts by where they work, and the setting that switches single keys off. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const single_keys = useSingleKeys()
  return (
    <Dialog title={messages.title} size="lg" tall onClose={onClose}>
      <div className={classes.scopes}>
        {Object.entries(scopes).map(([scope, title]) => (
          <section key={scope} aria-label={title}>
            <h3>{title}</h3>
            <dl>
              {all
                .filter((name) => shortcuts[name].scope === scope)
                .map((name) => (
                  <Line
                    key={name}
                    shortcut={shortcuts[name]}
                    label={labels[name]}
                    is_off={!single_keys && isSingleKey(shortcuts[name])}
                  />
                ))}
            </dl>
          </section>
        ))}
        {messages.components.map(({ title, lines }) => (
          <section key={title} aria-label={title}>
            <h3>{title}</h3>
            <dl>
              {lines.map(({ keys, does }) => (
                <div key={does} className={classes.line}>
                  <dt>{does}</dt>
                  <dd>
                    {keys.map((key) => (
                      <Kbd key={key}>{keyLabel(key)}</Kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <div className={classes.setting}>
        <Switch label={messages.single_keys} checked={single_keys} onChange={setSingleKeys} />
        <div>
          <div aria-hidden>{messages.single_keys}</div>
          <p>{messages.single_keys_hint}</p>
        </div>
      </div>
    </Dialog>
  )
}

const Line = ({ shortcut, label, is_off }: { shortcut: Shortcut; label: string; is_off: boolean }) => (
  <div className={classes.line} data-off={is_off || undefined}>
    <dt>{label}</dt>
    <dd>
      {keyLabels(shortcut).map((key) => (
        <Kbd key={key}>{key}</Kbd>
      ))}
    </dd>
  </div>
)
