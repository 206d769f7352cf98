import { DownloadIcon } from 'lucide-react'
import { useState } from 'react'
import type { Condition } from '@/components/data-table/filter/condition'
import { Button } from '@/components/ui/button'
import { Menu, MenuHeading, MenuItem } from '@/components/ui/menu'
import { countOf } from '@/components/ui/number'
import { shownNames } from './entity-search'
import { sortOf } from './place-sort'
import type { View } from './view-queries'

const FORMATS = ['csv', 'json', 'xlsx'] as const

/** More records than this are prepared in the background. */
const MAX_DIRECT = 100_000

type Props = View & { query: Condition[]; size?: 'sm' | 'md' }

/** Saves exactly what is filtered, in the order shown, with the shown columns or all. */
export function ExportMenu({ entity, list, query, total, size = 'md', ...view }: Props) {
  const { related } = view
  const columns = [...view.columns, ...related]
  const [busy, setBusy] = useState(false)
  const isChosen = size === 'sm'
  const isLarge = !isChosen && total !== null && total > MAX_DIRECT
  const shown = shownNames(columns, list)
  const run = async (format: (typeof FORMATS)[number], fields?: string[]) => {
    setBusy(true)
    try {
      const { runExport } = await import('./run-export')
      const selection = { fields, query, sort: sortOf(columns, list) }
      await runExport(entity, format, selection, { related, inBackground: isLarge })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Menu
      trigger={
        <Button size={size} busy={busy}>
          <DownloadIcon aria-hidden /> Export
        </Button>
      }
    >
      {isLarge && <MenuHeading>{countOf(total, 'record')}: prepared in the background</MenuHeading>}
      <MenuHeading>
        {isChosen || total === null ? 'The records' : countOf(total, 'record')}, shown columns
      </MenuHeading>
      {FORMATS.map((format) => (
        <MenuItem key={format} onClick={() => void run(format, shown)}>
          {format.toUpperCase()}
        </MenuItem>
      ))}
      <MenuHeading>Every column</MenuHeading>
      {FORMATS.map((format) => (
        <MenuItem key={format} onClick={() => void run(format)}>
          {format.toUpperCase()}
        </MenuItem>
      ))}
    </Menu>
  )
}
