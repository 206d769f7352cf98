import { type ComponentProps, cloneElement, type ReactElement, useEffect, useState } from 'react'
import type * as Parts from './popover-parts'

type Loaded = typeof Parts
let loaded: Loaded | null = null

async function load(): Promise<Loaded> {
  loaded ??= await import('./popover-parts')
  return loaded
}

type TriggerProps = {
  'aria-haspopup': 'dialog'
  'aria-expanded': boolean
  onPointerEnter: () => void
  onFocus: () => void
  onClick: () => void
}

/** A small panel of controls beside the button that opens it; fetched when that is pointed at. */
export function Popover(props: ComponentProps<Loaded['Popover']>) {
  const [parts, setParts] = useState<Loaded | null>(null)
  useEffect(() => {
    if (props.open) void load().then(setParts)
  }, [props.open])
  if (parts) return <parts.Popover {...props} defaultOpen />
  return cloneElement(props.trigger as ReactElement<TriggerProps>, {
    'aria-haspopup': 'dialog',
    'aria-expanded': false,
    onPointerEnter: load,
    onFocus: load,
    onClick: async () => {
      setParts(await load())
      props.onOpenChange?.(true)
    },
  })
}
