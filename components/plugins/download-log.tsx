import { DownloadIcon } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { Menu, MenuItem } from '@/components/ui/menu'
import { csvLine, saveFile } from '@/components/ui/save-file'
import { exactJsonText } from '@/lib/values/exact-json'
import type { FileLog, History } from './searches'

type Props = { install: History; files: readonly FileLog[] }

/** The log as a file: JSON with everything, or CSV with a line per error. */
export function DownloadLog({ install, files }: Props) {
  const name = `${install.pluginId ?? 'install'}-${install.id}`
  return (
    <Menu
      trigger={
        <Button disabled={files.length === 0}>
          <DownloadIcon aria-hidden /> Download log
        </Button>
      }
    >
      <MenuItem
        onClick={() =>
          saveFile(`${name}.json`, exactJsonText({ install, files }, 2), 'application/json')
        }
      >
        As JSON
      </MenuItem>
      <MenuItem onClick={() => saveFile(`${name}.csv`, toCsv(files), 'text/csv')}>As CSV</MenuItem>
    </Menu>
  )
}

const HEADINGS = [
  'path',
  'target',
  'status',
  'error',
  'record',
  'pointer',
  'line',
  'column',
  'key',
  'value',
  'kind',
  'message',
  'created',
  'updated',
  'unchanged',
  'failed',
  'durationMs',
]

/** A line for each error and each warning of a file; one for a file without any. */
export function toCsv(files: readonly FileLog[]): string {
  const lines = files.flatMap((file) => {
    const { path, target, status, error, records, durationMs } = file
    const counts = [records.created, records.updated, records.unchanged, records.failed]
    const details = [
      ...file.details.map((detail) => ({ kind: 'error', detail })),
      ...file.warnings.map((detail) => ({ kind: 'warning', detail })),
    ]
    const none = { kind: undefined, detail: undefined }
    return (details.length > 0 ? details : [none]).map(({ kind, detail }) => [
      ...[path, target, status, error],
      ...[detail?.index, detail?.pointer, detail?.line, detail?.column],
      ...[detail?.key, detail?.value, kind, detail?.message],
      ...counts,
      durationMs,
    ])
  })
  return [HEADINGS, ...lines].map(csvLine).join('\r\n')
}
