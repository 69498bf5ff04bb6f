import { Button, VisuallyHidden } from '@mantine/core'
import { IconDownload, IconUpload } from '@tabler/icons-react'
import { Link } from 'react-router'
import classes from './csv-buttons.module.css'

type Props = {
  onExport: () => void
  isExporting: boolean
  /** Opens the import, or the path of its page. */
  onImport: (() => void) | string
  isImporting?: boolean
  /** Names them "Export CSV" and "Import CSV", as the specification does for tasks; both look alike. */
  named_csv?: boolean
}

/** Export and import of a list, at the same place in the header of each: before the button that adds. Phones show icons only. */
export function CsvButtons({ onExport, isExporting, onImport, isImporting = false, named_csv }: Props) {
  const look = { variant: 'default', className: classes.button } as const
  const text = (label: string) => (
    <span className={classes.text}>
      {label}
      {named_csv && <VisuallyHidden component="span"> CSV</VisuallyHidden>}
    </span>
  )
  const importing = {
    ...look,
    title: 'Import from a CSV file',
    leftSection: <IconUpload size={17} aria-hidden />,
  }
  return (
    <>
      <Button
        {...look}
        title="Export as a CSV file"
        leftSection={<IconDownload size={17} aria-hidden />}
        loading={isExporting}
        onClick={onExport}
      >
        {text('Export')}
      </Button>
      {typeof onImport === 'string' ? (
        <Button {...importing} component={Link} to={onImport}>
          {text('Import')}
        </Button>
      ) : (
        <Button {...importing} loading={isImporting} onClick={onImport}>
          {text('Import')}
        </Button>
      )}
    </>
  )
}
