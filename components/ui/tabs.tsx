import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'

type Tab<T extends string> = { value: T; label: ReactNode; count?: number; content: ReactNode }

type Props<T extends string> = {
  'aria-label': string
  tabs: readonly Tab<T>[]
  value?: T
  defaultValue?: T
  onValueChange?: (value: T) => void
  className?: string
}

/** Views of one object. Only the open one is rendered. */
export function Tabs<T extends string>({ tabs, onValueChange, className, ...props }: Props<T>) {
  const { 'aria-label': label, ...state } = props
  return (
    <Base.Root
      className={className}
      onValueChange={(value) => onValueChange?.(value as T)}
      defaultValue={state.value === undefined ? tabs[0]?.value : undefined}
      {...state}
    >
      <Base.List aria-label={label} className="flex gap-4 overflow-x-auto border-b">
        {tabs.map((tab) => (
          <Base.Tab
            key={tab.value}
            value={tab.value}
            className="relative -mb-px flex h-9 items-center gap-1.5 border-b-2 border-transparent whitespace-nowrap text-muted-foreground hover:text-foreground focus-visible:-outline-offset-2 data-active:border-primary data-active:font-medium data-active:text-foreground"
          >
            {tab.label}
            {tab.count !== undefined && (
              <span className="tabular rounded bg-muted px-1 text-xs font-normal">{tab.count}</span>
            )}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel key={tab.value} value={tab.value} className="pt-4 outline-none">
          {tab.content}
        </Base.Panel>
      ))}
    </Base.Root>
  )
}
