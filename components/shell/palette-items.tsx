import { Command } from 'cmdk'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

/** A titled part of the list. */
export function Group({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-muted-foreground"
    >
      {children}
    </Command.Group>
  )
}

type ItemProps = {
  value: string
  /** Other words that find it. */
  words?: string[]
  icon: LucideIcon
  label: string
  note?: string
  onSelect: () => void
}

export function Item({ value, words, icon: Icon, label, note, onSelect }: ItemProps) {
  return (
    <Command.Item
      value={value}
      keywords={words}
      onSelect={onSelect}
      className="flex h-9 cursor-default items-center gap-2.5 rounded-md px-2 select-none data-[selected=true]:bg-accent"
    >
      <Icon aria-hidden className="size-4 shrink-0 text-muted-foreground" />
      <span className="truncate">{label}</span>
      {note && <span className="ml-auto text-xs text-muted-foreground">{note}</span>}
    </Command.Item>
  )
}
