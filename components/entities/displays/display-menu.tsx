'use client'
import { CalendarIcon, LayoutGridIcon, MapIcon, Rows3Icon } from 'lucide-react'
import type { Display } from '@/components/data-table/list-params'
import { Button } from '@/components/ui/button'
import { Menu, MenuRadioGroup } from '@/components/ui/menu'
import type { View } from '../view'
import { displayOf, displaysOf } from './supported'

const DISPLAY = {
  table: { icon: Rows3Icon, label: 'Table' },
  cards: { icon: LayoutGridIcon, label: 'Cards' },
  calendar: { icon: CalendarIcon, label: 'Calendar' },
  map: { icon: MapIcon, label: 'Map' },
} as const

/** Chooses the form in which records are shown; nothing where there is only the table. */
export function DisplayMenu({ columns, list }: Pick<View, 'columns' | 'list'>) {
  const displays = displaysOf(columns)
  if (displays.length < 2) return null
  const shown = displayOf(columns, list)
  const { icon: Icon, label } = DISPLAY[shown]
  return (
    <Menu
      trigger={
        <Button size="sm" aria-label={`Show as: ${label}`}>
          <Icon aria-hidden />
          <span className="max-lg:sr-only">{label}</span>
        </Button>
      }
    >
      <MenuRadioGroup<Display>
        label="Show as"
        value={shown}
        onValueChange={list.setDisplay}
        options={displays.map((value) => ({ value, label: DISPLAY[value].label }))}
      />
    </Menu>
  )
}
