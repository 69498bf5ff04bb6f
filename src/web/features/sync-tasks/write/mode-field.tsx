import { Radio } from '@mantine/core'
import { writeLabels } from '../../../../contract/rows/write-labels.ts'
import { WriteSettings } from '../../../../contract/rows/write-settings.ts'
import { writeMessages as messages } from '../../../../contract/sync-tasks/dialog-messages.ts'
import classes from './write-section.module.css'

type Mode = WriteSettings['write_mode']

const modes = WriteSettings.shape.write_mode

/** Chooses the write mode, each with what happens to notes beside rows. */
export const ModeField = ({ mode, onChange }: { mode: Mode; onChange: (mode: Mode) => void }) => (
  <Radio.Group label={messages.title} value={mode} onChange={(value) => onChange(modes.parse(value))}>
    <div className={classes.modes}>
      {modes.options.map((one) => (
        <Radio
          key={one}
          value={one}
          className={classes.mode ?? ''}
          label={writeLabels.write_mode[one]}
          description={messages.modes[one]}
        />
      ))}
    </div>
  </Radio.Group>
)
