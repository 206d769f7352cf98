import { Command } from 'cmdk'
import type { ReactNode } from 'react'
import type { Result } from './palette-results'

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

export function Item({ id, icon: Icon, label, note, onSelect }: Result) {
  return (
    <Command.Item
      value={id}
      onSelect={onSelect}
      className="flex h-9 cursor-default items-center gap-2.5 rounded-md px-2 select-none hover:bg-accent/50 data-[selected=true]:bg-accent"
    >
      <Icon aria-hidden className="size-4 shrink-0 text-muted-foreground" />
      <span dir="auto" className="truncate">
        {label}
      </span>
      {note && <span className="ml-auto shrink-0 text-xs text-muted-foreground">{note}</span>}
    </Command.Item>
  )
}
