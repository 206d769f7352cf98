'use client'
import { DownloadIcon } from 'lucide-react'
import { useState } from 'react'
import { toast } from 'sonner'
import type { Condition } from '@/components/data-table/filter/condition'
import { Button } from '@/components/ui/button'
import { Menu, MenuHeading, MenuItem } from '@/components/ui/menu'
import { countOf } from '@/components/ui/number'
import { messageOf } from '@/lib/errors'
import { shownAtFirst } from './entity-search'
import { exportRecords } from './export-records'
import type { View } from './view'

const FORMATS = ['csv', 'json', 'xlsx'] as const

type Props = View & { query: Condition[]; size?: 'sm' | 'md' }

/** Saves exactly what is filtered, in the order shown, with the shown columns or all. */
export function ExportMenu({ entity, columns, list, query, total, size = 'md' }: Props) {
  const [busy, setBusy] = useState(false)
  const shown = list.cols ?? shownAtFirst(columns)
  const run = async (format: (typeof FORMATS)[number], fields?: string[]) => {
    setBusy(true)
    try {
      await exportRecords(entity, format, { fields, query, sort: list.sort })
    } catch (error) {
      toast.error(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Menu
      trigger={
        <Button size={size} busy={busy}>
          <DownloadIcon aria-hidden /> <span className="max-sm:sr-only">Export</span>
        </Button>
      }
    >
      <MenuHeading>
        {size === 'sm' || total === null ? 'The records' : countOf(total, 'record')}, shown columns
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
