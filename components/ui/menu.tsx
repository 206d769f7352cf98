import {
  type ComponentProps,
  cloneElement,
  createContext,
  type ReactElement,
  use,
  useState,
} from 'react'
import type * as Parts from './menu-parts'

type Loaded = typeof Parts

const PartsContext = createContext<Loaded | null>(null)
let loaded: Loaded | null = null

async function load(): Promise<Loaded> {
  loaded ??= await import('./menu-parts')
  return loaded
}

type TriggerProps = {
  'aria-haspopup': 'menu'
  'aria-expanded': boolean
  onPointerEnter: () => void
  onFocus: () => void
  onClick: () => void
}

/**
 * A button that opens a list of actions. The code of the list is loaded when the pointer is on the
 * button, so that a page with many of them starts as fast as one with none.
 */
export function Menu(props: ComponentProps<Loaded['Menu']>) {
  const [parts, setParts] = useState<Loaded | null>(null)
  if (parts) {
    return (
      <PartsContext value={parts}>
        <parts.Menu {...props} defaultOpen />
      </PartsContext>
    )
  }
  return cloneElement(props.trigger as ReactElement<TriggerProps>, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onPointerEnter: load,
    onFocus: load,
    onClick: async () => setParts(await load()),
  })
}

function useParts(): Loaded {
  const parts = use(PartsContext)
  if (!parts) throw new Error('An item outside of a Menu')
  return parts
}

export function MenuItem(props: ComponentProps<Loaded['MenuItem']>) {
  const parts = useParts()
  return <parts.MenuItem {...props} />
}

export function MenuLink(props: ComponentProps<Loaded['MenuLink']>) {
  const parts = useParts()
  return <parts.MenuLink {...props} />
}

export function MenuRadioGroup<T extends string>(props: Parts.RadioProps<T>) {
  const parts = useParts()
  return <parts.MenuRadioGroup {...props} />
}

export function MenuSeparator() {
  const parts = useParts()
  return <parts.MenuSeparator />
}

export function MenuHeading(props: ComponentProps<Loaded['MenuHeading']>) {
  const parts = useParts()
  return <parts.MenuHeading {...props} />
}
